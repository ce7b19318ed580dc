import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect } from "chai";
import type { Deployment } from "../harness/deployment.ts";
import { installPrograms } from "../harness/install-programs.ts";
import { startStandalone } from "../harness/standalone.ts";

const VISITOR = "44.1.2.3";
const run = promisify(execFile);

/** How to run each tab's code, with the visitor in the variable that it uses. */
const PROGRAMS: Readonly<Record<string, (code: string) => readonly [program: string, ...args: string[]]>> = {
  curl: (code) => ["sh", "-c", code],
  "Node.js": (code) => [
    process.execPath,
    "--input-type=module",
    "--eval",
    `const visitorAddress = "${VISITOR}"; ${code}`,
  ],
  Python: (code) => ["/usr/bin/python3", "-c", `visitor_address = "${VISITOR}"\n${code}`],
  PHP: (code) => ["php", "-r", code.replace("<?php", `$visitorAddress = "${VISITOR}";`)],
};

describe("the code in docs/site/back-end.md", () => {
  let service: Deployment;
  let key: string;
  before(async () => {
    installPrograms("curl", "python3", "php");
    service = await startStandalone({ TRUST_PROXY: "none", TLS_CERT_FILE: "", TLS_KEY_FILE: "" });
    ({ key } = await service.issueKey({ kind: "secret", forward: true }));
  });
  after(() => service?.[Symbol.asyncDispose]());

  for (const [tab, command] of Object.entries(PROGRAMS))
    it(`locates the visitor: ${tab}`, async () => {
      const [, block = ""] =
        new RegExp(`^\`\`\`\\w+ ${tab}\n(.*?)^\`\`\``, "ms").exec(readFileSync("docs/site/back-end.md", "utf8")) ?? [];
      const code = block
        .replace("https://geo.example.com", service.url)
        .replace("geo_sk_…", key)
        .replace("81.2.69.142", VISITOR);
      const [program, ...args] = command(code);
      const env = { ...process.env, GEO_KEY: key };
      expect((await run(program, args, { env, timeout: 20_000 })).stdout).to.match(/\bUS\b/);
    });
});
