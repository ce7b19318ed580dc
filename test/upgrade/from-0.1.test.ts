import { expect } from "chai";
import { writePlans } from "../fixtures/plans.ts";
import { type Cluster, ONE_OF_EACH, startOneProcessCluster } from "../harness/cluster.ts";
import type { Deployment } from "../harness/deployment.ts";
import { expectError, expectRecord } from "../harness/expect-response.ts";
import { keyed } from "../harness/slots.ts";
import { startStandalone } from "../harness/standalone.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";
import { type OldKeys, oldCluster, oldDataDir } from "./data-of-0.1.ts";
import { EVERY_DOOR, testBeforeFinish } from "./unfinished.ts";

const START_TIMEOUT_MS = 90_000;
const STOP_TIMEOUT_MS = 40_000;

for (const { name, prepare, start } of [
  { name: "a DATA_DIR of version 0.1 (standalone)", prepare: oldDataDir, start: startStandalone },
  { name: "streams of version 0.1 (cluster)", prepare: oldCluster, start: startOneProcessCluster },
])
  describe(name, () => {
    // Version 0.1 doesn't know lists of fields.
    const PLANS_FILE = writePlans(tempFolder(), { listed: undefined });
    let deployment: Deployment;
    let keys: OldKeys;

    before(async function () {
      this.timeout(START_TIMEOUT_MS);
      const old = await prepare();
      keys = old.keys;
      deployment = await start({ ...ONE_OF_EACH, ...EVERY_DOOR, PLANS_FILE, ...old.settings });
    });
    after(async function () {
      this.timeout(STOP_TIMEOUT_MS);
      await deployment?.stop();
    });

    const usage = (keyId: string, month: string) => deployment.keys("usage", keyId, "--month", month);
    const send = (key: string, origin?: string) =>
      deployment.send({ ...keyed(key), ...(origin === undefined ? {} : { headers: { Origin: origin } }) });

    it("keeps the counts of each month, including those in a journal", async () => {
      const { keyId } = keys.secret;
      expect(await usage(keyId, "2026-11")).to.have.property("total", 8);
      expect(await usage(keyId, "2026-10")).to.have.property("total", 17);
      expect(await usage(keys.publishable.keyId, "2026-11")).to.have.property("total", 4);
      expect(await usage(keys.revoked.keyId, "2026-11")).to.have.property("total", 2);
    });

    it("keeps keys with their plans, labels and origins", async () => {
      expectRecord(await send(keys.secret.key));
      expect(await deployment.keys("show", keys.secret.keyId)).to.include({ plan: "hundred", label: "kept" });
      expect(expectRecord(await send(keys.changed.key))).to.include.keys("ip", "city");
      expect(await deployment.keys("show", keys.changed.keyId)).to.include({
        plan: "paid",
        label: "after",
        version: 3,
      });
      expectRecord(await send(keys.publishable.key, "https://www.example.org"));
      expectError(await send(keys.publishable.key, "https://example.net"), "origin_not_allowed", deployment);
    });

    it("keeps revocations", async () => {
      expectError(await send(keys.revoked.key), "revoked_key", deployment);
      expect(await deployment.keys("show", keys.revoked.keyId)).to.include({ status: "revoked" });
    });

    it("adds new counts, events and keys", async () => {
      const month = new Date().toISOString().slice(0, 7);
      const { total } = await usage(keys.publishable.keyId, month);
      for (let request = 0; request < 3; request += 1)
        expectRecord(await send(keys.publishable.key, "https://example.com"));
      await waitFor("the count", async () => (await usage(keys.publishable.keyId, month)).total >= total + 3, 10_000);
      await deployment.keys("set-label", keys.changed.keyId, "again");
      expect(await deployment.keys("show", keys.changed.keyId)).to.include({ label: "again", version: 4 });
      expectRecord(await send((await deployment.issueKey()).key));
    }).timeout(30_000);

    // One process can't run beside others of version 0.1.
    if (start === startOneProcessCluster)
      describe("before `upgrade --finish`", () => {
        const environment = () => {
          const { auth, usage } = (deployment as Cluster).grpc;
          return { AUTH_URL: auth, USAGE_URL: usage, ADMIN_TOKEN: deployment.adminToken };
        };
        testBeforeFinish(() => deployment, { environment, plansFile: PLANS_FILE });
      });
  });
