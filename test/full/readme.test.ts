import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect } from "chai";
import { freePort } from "../../scripts/cluster/free-port.ts";
import { ADDRESSES } from "../fixtures/places.ts";
import { visit } from "../harness/browser/visit.ts";
import type { Deployment } from "../harness/deployment.ts";
import { installPrograms } from "../harness/install-programs.ts";
import { startStandalone } from "../harness/standalone.ts";
import { tempFolder } from "../harness/temp-folder.ts";

const DEADLINE_MS = 20_000;
/** In place of the README's address, which the tests' databases don't have: in requests, and for this machine. */
const VISITOR = ADDRESSES.upperTesting;
const THIS_MACHINE = ADDRESSES.rainhaven;
const run = promisify(execFile);

/** The code blocks, in the order in which a reader runs them. */
const BLOCKS = [...readFileSync("README.md", "utf8").matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(
  ([, language = "", code = ""]) => ({ language, code }),
);

describe("the code in README.md, from the first start to the proxy", function () {
  this.timeout(60_000);
  let service: Deployment;
  let edgePort: number;
  const keyOf = (kind: string) => new RegExp(`geo_${kind}_\\w+`).exec(service.output())?.[0] ?? "no demo key";

  /** With the address and the ports of this test. */
  const adapt = (code: string) =>
    code
      .replaceAll("81.2.69.142", VISITOR)
      .replaceAll("http://docs.localhost:8080", service.docsUrl)
      .replaceAll("http://127.0.0.1:8080", service.url)
      .replaceAll("127.0.0.1:8090", `127.0.0.1:${edgePort}`);

  before(async () => {
    installPrograms("curl");
    edgePort = await freePort();
    const [settings = "", ...command] = (BLOCKS[0]?.code ?? "").split(" make ");
    expect(command).to.deep.equal(["start\n"]);
    const environment = Object.fromEntries(
      settings.split(" ").map((setting) => setting.split("=") as [string, string]),
    );
    expect(environment).to.have.all.keys("DEV_ADDRESS", "EDGE_PORT");
    const own = { DEV_ADDRESS: THIS_MACHINE, EDGE_PORT: `${edgePort}`, TLS_CERT_FILE: "", TLS_KEY_FILE: "" };
    service = await startStandalone({ ...environment, ...own });
  });
  after(() => service?.[Symbol.asyncDispose]());

  it("has no other blocks", () =>
    expect(BLOCKS.map(({ language }) => language)).to.deep.equal(["sh", "html", "js", "sh"]));

  it("shows the visitor's country in a page that is opened as a file, with the publishable demo key", async () => {
    const page = join(tempFolder(), "page.html");
    writeFileSync(page, adapt(BLOCKS[1]?.code ?? "").replace("geo_pk_…", keyOf("pk")));
    const file = pathToFileURL(page).href;
    // The helper's own address of the API.
    const api = service.docsUrl.replace("docs.", "");
    await visit({ origins: [file, service.docsUrl, api] }, async (tab) => {
      await tab.goto(file);
      await tab.getByText("United States").waitFor();
    });
  });

  it("locates a visitor in a back end, with the secret demo key", async () => {
    const args = ["--input-type=module", "--eval", adapt(BLOCKS[2]?.code ?? "")];
    const env = { ...process.env, GEO_KEY: keyOf("sk") };
    const { stdout } = await run(process.execPath, args, { env, timeout: DEADLINE_MS });
    expect(stdout.trim()).to.equal("{ city: 'Upper Testing', timezone: 'Europe/London' }");
  });

  it("returns a visitor's location to a proxy", async () => {
    const { stdout } = await run("sh", ["-c", adapt(BLOCKS[3]?.code ?? "")], { timeout: DEADLINE_MS });
    expect(stdout).to.match(/^x-geo-country: GB\r$/im);
    expect(stdout).to.match(/^x-geo-city: Upper%20Testing\r$/im);
  });
});
