import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readEnvironment, SECRETS } from "@geolookup/shared/runtime/env/env.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { expect } from "chai";
import { z } from "zod";
import { tempFolder } from "../../../../../test/harness/temp-folder.ts";
import { REDIS_VARIABLES, type RedisAccess, redisAccess, redisCredentials, redisTls } from "./redis-access.ts";

describe("Redis access settings", () => {
  const cases: [RedisAccess, object][] = [
    [{ url: "redis://a:1/2" }, { url: "redis://a:1/2" }],
    [{ url: "redis://u:p@a" }, { url: "redis://a", username: "u", password: "p" }],
    [{ url: "redis://:p%40%3a@a" }, { url: "redis://a", password: "p@:" }],
    [
      { url: "redis://u@a", password: "p" },
      { url: "redis://a", username: "u", password: "p" },
    ],
    [
      { url: "rediss://a", password: "p@:" },
      { url: "rediss://a", password: "p@:" },
    ],
  ];
  for (const [access, credentials] of cases)
    it(JSON.stringify(access), () => expect(redisCredentials(access)).to.deep.equal(credentials));

  it("sets the TLS server name if the host is a name", () => {
    expect(redisTls({ url: "rediss://redis.example:1" })).to.deep.equal({ servername: "redis.example" });
    for (const url of ["rediss://127.0.0.1", "rediss://[::1]"]) expect(redisTls({ url })).to.deep.equal({});
  });

  const folder = tempFolder();
  const pem = join(folder, "some.pem");
  writeFileSync(pem, "-----BEGIN CERTIFICATE-----\n", { mode: 0o600 });
  const bad: [what: string, environment: Record<string, string>, complaint: string][] = [
    [
      "two passwords",
      { REDIS_URL: "redis://u:hunter2@a", REDIS_PASSWORD: "hunter3" },
      "REDIS_PASSWORD: REDIS_URL also has a password",
    ],
    [
      "an authority without TLS",
      { REDIS_URL: "redis://:hunter2@a", REDIS_CA_FILE: pem },
      "REDIS_CA_FILE: requires TLS; REDIS_URL must start with rediss://",
    ],
    [
      "a certificate that is missing",
      { REDIS_URL: "rediss://a", REDIS_CERT_FILE: join(folder, "none"), REDIS_KEY_FILE: pem },
      "REDIS_CERT_FILE: cannot be read: ENOENT",
    ],
    ["a key without a certificate", { REDIS_URL: "rediss://a", REDIS_KEY_FILE: pem }, "REDIS_CERT_FILE: is required"],
    ["an invalid % escape", { REDIS_URL: "redis://:hunter2%zz@a" }, "REDIS_URL: must be redis://"],
  ];
  for (const [what, environment, complaint] of bad)
    it(`refuses ${what}, and shows no password`, () => {
      const read = () => redisAccess(readEnvironment(z.object(REDIS_VARIABLES), environment, SECRETS));
      expect(read).to.throw(StartError, complaint);
      expect(read).to.not.throw(/hunter/);
    });
});
