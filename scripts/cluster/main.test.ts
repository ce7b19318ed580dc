import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { lockFolder } from "@geolookup/shared/runtime/files/folder-lock.ts";
import { isRunning } from "@geolookup/shared/runtime/files/service-record.ts";
import { expect } from "chai";
import { clusterCommand, printedAddresses, START_TIMEOUT_MS } from "../../test/harness/cluster-command.ts";
import { send } from "../../test/harness/http.ts";
import { tempFolder } from "../../test/harness/temp-folder.ts";
import { waitFor } from "../../test/harness/wait-for.ts";

describe("the cluster command", () => {
  const start = clusterCommand();

  it("starts the requested number of each, lists all in one line of JSON, and stops all on Ctrl-C", async function () {
    this.timeout(START_TIMEOUT_MS);
    const cluster = start({ GATEWAYS: "2", AUTH: "1", GEO: "2", USAGE: "1" });
    const printed = await printedAddresses(cluster);
    const documented = /```json\n(\{[^`]*)```/.exec(readFileSync("docs/cluster.md", "utf8"))?.[1] ?? "";
    expect(shapeOf(printed)).to.deep.equal(shapeOf(JSON.parse(documented)));
    const { gateway, auth, geo, usage, portal, redis, nats } = printed;
    expect([gateway, auth, geo, usage, portal].map((nodes) => nodes.length)).to.deep.equal([2, 1, 2, 1, 1]);
    for (const { url } of gateway) expect((await send(url)).status).to.equal(200);
    const pids = [...gateway, ...auth, ...geo, ...usage, ...portal, redis, nats].map((node) => node?.pid ?? 0);
    expect(pids.filter((pid) => isRunning({ pid }))).to.have.length(9);
    cluster.kill("SIGINT");
    expect(await cluster.exited).to.equal(0);
    expect(pids.filter((pid) => isRunning({ pid }))).to.deep.equal([]);
  });

  const withSetpriv = tempFolder();
  symlinkSync("/usr/bin/setpriv", join(withSetpriv, "setpriv"));
  for (const folders of [[], [withSetpriv]])
    it(`says which Debian package is missing, and starts nothing, ${folders.length > 0 ? "with" : "without"} setpriv`, async () => {
      const cluster = start({ PATH: [dirname(process.execPath), ...folders].join(":") });
      expect(await cluster.exited).to.equal(1);
      expect(cluster.stderr()).to.match(
        /cannot run (redis|nats)-server: it is not in PATH; on Debian: apt-get install \1-server/,
      );
      expect(cluster.stdout()).to.equal("");
    });

  for (const settings of [{ STORES: "embedded" }, { GATEWAYS: "2" }])
    it(`says that a port is in use, and starts nothing: ${JSON.stringify(settings)}`, async function () {
      this.timeout(START_TIMEOUT_MS);
      // Like a gateway of another cluster, which would share its port.
      const taken = createServer().listen({ port: 0, host: "127.0.0.1", reusePort: true });
      await waitFor("a port", () => taken.listening, 2_000);
      const { port } = taken.address() as { port: number };
      const dataDir = tempFolder();
      const cluster = start({ ...settings, PORT: `${port}`, DATA_DIR: dataDir });
      expect(await cluster.exited).to.equal(1);
      expect(cluster.stderr()).to.include(`port ${port} on 127.0.0.1 is in use`);
      expect(readdirSync(dataDir)).to.deep.equal([]);
      taken.close();
    });

  it("says that another cluster uses the folder, and starts nothing", async function () {
    this.timeout(START_TIMEOUT_MS);
    const dataDir = tempFolder();
    using _other = lockFolder(join(dataDir, "cluster"));
    const cluster = start({ DATA_DIR: dataDir });
    expect(await cluster.exited).to.equal(1);
    expect(cluster.stderr()).to.match(
      /^cluster: the folder .*cluster is in use by another running process; stop it or choose another folder/,
    );
    expect(readdirSync(join(dataDir, "cluster"))).to.deep.equal(["lock"]);
  });
});

/** A document with its values replaced by their types, and lists by their first items. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [shapeOf(value[0])];
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each)]));
}
