import { readdirSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { lockFolder } from "@geolookup/shared/runtime/files/folder-lock.ts";
import { expect } from "chai";
import { clusterCommand, START_TIMEOUT_MS } from "../../test/harness/cluster-command.ts";
import { tempFolder } from "../../test/harness/temp-folder.ts";
import { waitFor } from "../../test/harness/wait-for.ts";

describe("the cluster command", () => {
  const start = clusterCommand();

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
