import { cpSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { freshIpv4 } from "../harness/addresses.ts";
import { type ClusterAdmin, clusterAdmin } from "../harness/cluster-admin.ts";
import { START_TIMEOUT_MS, STOP_TIMEOUT_MS } from "../harness/cluster-fault-suite.ts";
import { RECOVERY_MS, sendFrom } from "../harness/cluster-health.ts";
import { linkToNats } from "../harness/cluster-nats.ts";
import { type ClusterParts, prepareCluster } from "../harness/cluster-parts.ts";
import { runHere } from "../harness/command.ts";
import { send } from "../harness/http.ts";
import { keyed } from "../harness/slots.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { copyOfRing, unrecordedKey } from "../harness/unrecorded-key.ts";
import { waitFor } from "../harness/wait-for.ts";

/** Events must be missing for 5 s, and on two connections. */
const LOST_MS = 15_000;

describe("a lost key log makes no key unknown until a person decides", function () {
  this.timeout(START_TIMEOUT_MS);
  let cluster: ClusterParts;
  let admin: ClusterAdmin;
  let active: string;
  let revoked: string;
  const { key: neverSeen } = unrecordedKey();
  before("start a cluster with an active and a revoked key", async () => {
    cluster = await prepareCluster({ SIGNING_KEYS_FILE: copyOfRing() });
    await cluster.startAll();
    admin = clusterAdmin(cluster);
    const [a, b] = [await admin.issueKey(), await admin.issueKey()];
    [active, revoked] = [a.key, b.key];
    expect(await outcomes(active, revoked)).to.deep.equal([200, 200]);
    await admin.revoke(b.keyId);
    await waitFor("the revocation", async () => (await outcomes(revoked))[0] === "revoked_key", RECOVERY_MS);
  });
  after("stop the cluster", async function () {
    this.timeout(STOP_TIMEOUT_MS);
    await cluster?.stopAll();
  });
  /** 200, or the code of the error. */
  const outcomes = async (...keys: string[]): Promise<unknown[]> => {
    const responses = await Promise.all(
      keys.map((key) => sendFrom(cluster.gatewayUrls[0] ?? "", freshIpv4(), keyed(key))),
    );
    return responses.map(({ status, json }) => (status === 200 ? 200 : (json.error as { code: string }).code));
  };
  const authMetrics = async () => (await send(cluster.part("auth-1").opsUrl ?? "", { path: "/metrics" })).text;
  const isLost = async () => /^geolookup_key_log_lost 1$/m.test(await authMetrics());
  const isReady = async () => (await send(cluster.part("auth-1").opsUrl ?? "", { path: "/readyz" })).status === 200;
  const expectKept = async () =>
    expect(await outcomes(active, revoked, neverSeen)).to.deep.equal([200, "revoked_key", "internal_error"]);
  const deleteStream = async (name: string) => {
    await using nats = linkToNats(cluster.part("nats"));
    await (await (await nats.connected()).jetStream(RECOVERY_MS)).deleteStream(name);
  };

  it("while the auth node runs", async () => {
    await deleteStream("KEYS");
    await waitFor("auth to notice", isLost, LOST_MS);
    await expectKept();
    expect(await isReady(), "the survivor").to.equal(true);
  });

  const removeFolder = async () => rmSync(cluster.part("auth-1").folder, { recursive: true });
  for (const [witness, prepare] of [
    ["its own mark", async () => undefined],
    ["the stream of marks", removeFolder],
    ["counts of keys", () => removeFolder().then(() => deleteStream("KEY_MARKS"))],
  ] as const)
    it(`when auth starts, by ${witness}`, async () => {
      const auth = cluster.part("auth-1");
      await auth.stop();
      await prepare();
      auth.launch();
      await waitFor("auth to notice", isLost, LOST_MS);
      expect(await isReady()).to.equal(false);
      await expectKept();
    });

  it("a person's new log ends it: gateways start over, and everything works", async () => {
    const { port } = cluster.part("nats");
    const environment = { NATS_URL: `nats://127.0.0.1:${port}` };
    expect((await runHere(["keys", "log", "--new"], environment)).status).to.equal(0);
    await waitFor("auth to be ready", isReady, RECOVERY_MS);
    await waitFor("the gateway's new start", async () => (await outcomes(active))[0] === "unknown_key", RECOVERY_MS);
    expect(await outcomes(revoked)).to.deep.equal(["unknown_key"]);
    const issued = await admin.issueKey();
    expect(await outcomes(issued.key)).to.deep.equal([200]);
  });

  /** The file of the stream's messages. */
  const block = (store: string) => join(store, "$G", "streams", "KEYS", "msgs", "1.blk");
  for (const [what, damage] of [
    [
      "a volume of last week",
      (store: string, lastWeek: string) => {
        rmSync(store, { recursive: true });
        cpSync(lastWeek, store, { recursive: true });
      },
    ],
    ["a truncated block", (store: string) => truncateSync(block(store), statSync(block(store)).size - 100)],
    [
      "a flipped bit",
      (store: string) => {
        const bytes = readFileSync(block(store));
        const at = bytes.lastIndexOf("KeyRevoked");
        bytes[at] = (bytes[at] ?? 0) ^ 1;
        writeFileSync(block(store), bytes);
      },
    ],
  ] as const)
    it(`${what}: what was revoked stays refused`, async () => {
      const nats = cluster.part("nats");
      const auth = cluster.part("auth-1");
      const store = join(nats.folder, "jetstream");
      const [kept, leaked] = [await admin.issueKey(), await admin.issueKey()];
      const isKnown = async (key: string) => (await outcomes(key))[0] === 200;
      for (const { key } of [kept, leaked]) await waitFor("the gateway to reach auth", () => isKnown(key), LOST_MS);
      await nats.stop();
      const [lastWeek, whole] = [join(tempFolder(), "jetstream"), join(tempFolder(), "jetstream")];
      cpSync(store, lastWeek, { recursive: true });
      await nats.start();
      await waitFor("the revocation", () => admin.revoke(leaked.keyId), RECOVERY_MS);
      await waitFor("it", async () => (await outcomes(leaked.key))[0] === "revoked_key", RECOVERY_MS);
      await auth.stop();
      await nats.stop();
      cpSync(store, whole, { recursive: true });
      damage(store, lastWeek);
      await nats.start();
      auth.launch();
      await waitFor("auth to notice", isLost, LOST_MS);
      expect(await outcomes(kept.key, leaked.key)).to.deep.equal([200, "revoked_key"]);

      await nats.stop();
      rmSync(store, { recursive: true });
      cpSync(whole, store, { recursive: true });
      await nats.start();
      await waitFor("auth to be ready with the whole log", isReady, LOST_MS);
      expect(await outcomes(kept.key, leaked.key)).to.deep.equal([200, "revoked_key"]);
    });
});
