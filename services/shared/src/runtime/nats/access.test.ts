import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { z } from "zod";
import { tempFolder } from "../../../../../test/harness/temp-folder.ts";
import { readEnvironment, SECRETS } from "../env/env.ts";
import { StartError } from "../lifecycle/start-error.ts";
import { NATS_VARIABLES, type NatsAccess, natsAccess } from "./access.ts";
import { natsConnectOptions } from "./connect-options.ts";

const read = (environment: Record<string, string>) =>
  natsAccess(readEnvironment(z.object(NATS_VARIABLES), environment, SECRETS));

describe("natsConnectOptions", () => {
  const cases: [url: string, access: NatsAccess, options: object][] = [
    ["nats://a:4222,b", {}, { servers: ["nats://a:4222", "b"] }],
    ["nats://u:p@a,nats://u:p@b:1", {}, { servers: ["nats://a", "nats://b:1"], user: "u", pass: "p" }],
    ["nats://u%40h:p%3A%2f@a", {}, { servers: ["nats://a"], user: "u@h", pass: "p:/" }],
    ["nats://t0ken@a", {}, { servers: ["nats://a"], token: "t0ken" }],
    ["nats://a", { user: "u", password: "p" }, { servers: ["nats://a"], user: "u", pass: "p" }],
    ["tls://a", {}, { servers: ["tls://a"], tls: {} }],
    ["nats://a", { caFile: "ca.pem" }, { servers: ["nats://a"], tls: { caFile: "ca.pem" } }],
    [
      "nats://a,tls://b",
      { certFile: "c", keyFile: "k" },
      { servers: ["nats://a", "tls://b"], tls: { certFile: "c", keyFile: "k" } },
    ],
  ];
  for (const [url, access, options] of cases)
    it(`${url} with ${JSON.stringify(access)}`, () => {
      expect(natsConnectOptions(url, access)).to.deep.equal(options);
    });
});

describe("the settings for NATS", () => {
  const folder = tempFolder();
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const pem = file("some.pem", "-----BEGIN CERTIFICATE-----\n");

  it("have paths of the password and TLS files; the password is reread for each connection", () => {
    const NATS_PASSWORD_FILE = file("password", "hunter2\n");
    const access = read({ NATS_URL: "tls://a", NATS_USER: "u", NATS_PASSWORD_FILE, NATS_CA_FILE: pem });
    expect(access).to.deep.equal({ user: "u", passwordFile: NATS_PASSWORD_FILE, caFile: pem });
    for (const pass of ["hunter2", "hunter3"]) {
      file("password", `${pass}\n`);
      expect(natsConnectOptions("nats://a", access)).to.deep.include({ user: "u", pass });
    }
    file("password", "\n");
    expect(() => natsConnectOptions("nats://a", access)).to.throw("it is empty");
  });

  const bad: [what: string, environment: Record<string, string>, complaint: string][] = [
    ["a user without a password", { NATS_USER: "u" }, "NATS_PASSWORD: is required with NATS_USER"],
    ["a missing password file", { NATS_USER: "u", NATS_PASSWORD_FILE: join(folder, "none") }, "ENOENT"],
    ["a password without a user", { NATS_PASSWORD: "hunter2" }, "NATS_USER: is required with NATS_PASSWORD"],
    [
      "a user here and in the URL",
      { NATS_URL: "nats://u:hunter2@a", NATS_USER: "u", NATS_PASSWORD: "hunter2" },
      "a user in NATS_URL and NATS_USER are both set; keep one",
    ],
    [
      "two users in the URL",
      { NATS_URL: "nats://u:hunter2@a,nats://v:hunter2@b" },
      "every server must have the same user and password",
    ],
    ["an invalid % escape", { NATS_URL: "nats://u:hunter2%zz@a" }, "NATS_URL: must be nats://"],
    ["a CA file that isn't PEM", { NATS_CA_FILE: file("text", "hunter2") }, "NATS_CA_FILE: must name a PEM file"],
    ["a missing CA file", { NATS_CA_FILE: join(folder, "none") }, "NATS_CA_FILE: cannot be read: ENOENT"],
    ["a certificate without its key", { NATS_CERT_FILE: pem }, "NATS_KEY_FILE: is required with NATS_CERT_FILE"],
    ["empty credentials", { NATS_CREDS_FILE: file("creds", " \n") }, "NATS_CREDS_FILE: must name a file that is not"],
  ];
  for (const [what, environment, complaint] of bad)
    it(`refuse ${what}, without showing the password`, () => {
      expect(() => read(environment)).to.throw(StartError, complaint);
      expect(() => read(environment)).to.not.throw("hunter2");
    });
});
