import { execFile, execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { sample } from "../harness/samples.ts";
import { startStandalone } from "../harness/standalone.ts";
import { tempFolder } from "../harness/temp-folder.ts";

const PACKAGE = "node_modules/@geolookup/server";

describe("@geolookup/server from the docs host", function () {
  this.timeout(120_000);

  it("is installed by npm, with the hash in the guide, and locates visitors", async () => {
    await using service = await startStandalone({ TRUST_PROXY: "none", TLS_CERT_FILE: "", TLS_KEY_FILE: "" });
    const { key } = await service.issueKey({ kind: "secret", forward: true });
    const folder = tempFolder();
    const code = sample("/back-end", "npm install").replaceAll("https://docs.geo.example.com", service.portalUrl);
    const run = promisify(execFile);
    await run("sh", ["-c", code], { cwd: folder });
    const [, download = "", installation = ""] = /^# (curl .*)\n# (npm install .*)$/m.exec(code) ?? [];
    const copy = tempFolder();
    await run("sh", ["-c", `${download} && ${installation}`], { cwd: copy });
    execFileSync("diff", ["-r", join(copy, PACKAGE), join(folder, PACKAGE)]);
    const lockfile = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
    const { integrity } = lockfile.packages[PACKAGE];
    expect(readFileSync("docs/site/back-end.md", "utf8")).to.include(`\`${integrity}\``);
    const script = `import { createGeolookup } from "@geolookup/server";
const geolookup = createGeolookup({ url: "${service.url}", key: "${key}", timeoutMs: 20_000 });
console.log((await geolookup.locate(new Request("http://shop.example.com"), { ip: "44.1.2.3" })).city);`;
    const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", script], { cwd: folder });
    expect(stdout).to.equal("Rainhaven\n");
  });
});
