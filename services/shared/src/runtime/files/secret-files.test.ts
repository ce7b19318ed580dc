import { chmodSync, chownSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { pino } from "pino";
import { z } from "zod";
import { tempFolder } from "../../../../../test/harness/temp-folder.ts";
import { readEnvironment } from "../env/env.ts";
import { findExposedSecretFiles, restrictSecretFiles } from "./secret-files.ts";

const schema = z.object({
  DATA_DIR: z.string().default("data"),
  TOKEN: z.string().optional(),
  SIGNING_KEYS_FILE: z.string().optional(),
  NATS_KEY_FILE: z.string().optional(),
  NATS_CERT_FILE: z.string().optional(),
  PLANS_FILE: z.string().optional(),
});

describe("secret files", () => {
  let folder: string;
  let dataDir: string;
  beforeEach(() => {
    folder = tempFolder();
    dataDir = join(folder, "data");
    mkdirSync(dataDir);
  });
  const file = (name: string, mode: number, within = folder) => {
    const path = join(within, name);
    writeFileSync(path, "a-secret-of-some-length");
    chmodSync(path, mode);
    return path;
  };
  const problem = (environment: Record<string, string>): string => {
    try {
      readEnvironment(schema, { DATA_DIR: dataDir, ...environment }, ["TOKEN"]);
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  };

  for (const variable of ["TOKEN_FILE", "SIGNING_KEYS_FILE", "NATS_KEY_FILE"])
    for (const [mode, refused] of [
      [0o600, false],
      [0o400, false],
      [0o640, false],
      [0o660, false],
      [0o644, true],
      [0o604, true],
      [0o602, true],
    ] as const)
      it(`${variable} of mode ${mode.toString(8)} is ${refused ? "refused" : "accepted"}`, () => {
        const path = file("secret", mode);
        const pair = { NATS_CERT_FILE: file("cert.pem", 0o644) };
        const environment = { [variable]: path, ...(variable === "NATS_KEY_FILE" ? pair : {}) };
        const says = problem(environment);
        if (refused)
          expect(says)
            .to.include(`${variable}: ${path} is open to every user of this machine (mode 0${mode.toString(8)})`)
            .and.include(`chmod 600 ${path}`)
            .and.include("ALLOW_READABLE_SECRETS=on");
        else expect(says).to.equal("");
        expect(problem({ ...environment, ALLOW_READABLE_SECRETS: "on" })).to.equal("");
      });

  it("files without secrets may be readable by everyone", () => {
    expect(problem({ PLANS_FILE: file("plans.json", 0o644) })).to.equal("");
  });

  it("ALLOW_READABLE_SECRETS must be on or off", () => {
    expect(problem({ ALLOW_READABLE_SECRETS: "yes" })).to.include(
      'ALLOW_READABLE_SECRETS: must be on or off (got "yes")',
    );
  });

  it("follows the links of Kubernetes: the mode of the file counts", () => {
    const path = join(folder, "token");
    symlinkSync(file("..data", 0o644), path);
    expect(problem({ TOKEN_FILE: path })).to.include("is open to every user");
    chmodSync(join(folder, "..data"), 0o440);
    expect(problem({ TOKEN_FILE: path })).to.equal("");
  });

  it("restricts files in a service's own folder at startup, and logs that once", () => {
    const ring = file("signing-keys.json", 0o644, dataDir);
    const token = file("token", 0o664, dataDir);
    const elsewhere = file("elsewhere", 0o644);
    const linked = join(dataDir, "linked");
    symlinkSync(elsewhere, linked);
    const environment = { DATA_DIR: dataDir, TOKEN_FILE: token };
    expect(problem(environment)).to.equal("");
    expect(problem({ TOKEN_FILE: linked })).to.include("is open to every user");
    const lines: { path: string; msg: string }[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
    for (let start = 0; start < 2; start += 1) restrictSecretFiles(findExposedSecretFiles(environment, ["TOKEN"]), log);
    expect(lines.map(({ path, msg }) => [path, msg])).to.deep.equal(
      [ring, token].map((path) => [path, "secret file was accessible to other users; its mode is 0600 now"]),
    );
    expect([ring, token, elsewhere].map((path) => statSync(path).mode & 0o777)).to.deep.equal([0o600, 0o600, 0o644]);
  });

  it("refuses another user's file in that folder, and doesn't change it", () => {
    // Root can change a file's owner; other users test with one of root's files.
    const isRoot = process.getuid?.() === 0;
    const token = isRoot ? file("token", 0o644, dataDir) : "/etc/passwd";
    if (isRoot) chownSync(token, 1234, 1234);
    else dataDir = "/etc";
    expect(problem({ TOKEN_FILE: token })).to.include("is open to every user");
    expect(findExposedSecretFiles({ DATA_DIR: dataDir, TOKEN_FILE: token }, ["TOKEN"])).to.deep.equal([]);
  });
});
