import { setTimeout as delay } from "node:timers/promises";
import { parseKey } from "@geolookup/shared/domain/key-shape.ts";
import { expect } from "chai";
import { freshIpv4 } from "../harness/addresses.ts";
import { onBusyCluster } from "../harness/cluster-fault-suite.ts";
import { sendFrom } from "../harness/cluster-health.ts";
import { startLoad } from "../harness/load.ts";
import { runOperation } from "../harness/operation.ts";
import { keyed } from "../harness/slots.ts";
import { waitFor } from "../harness/wait-for.ts";

/** Each key is issued over new connections, and auth accepts 20 a second from one address: GRPC_LIMITS. */
const NEXT_KEY_MS = 50;

onBusyCluster("rotating the signing key of a cluster under load", { isShared: true }, (busy) => {
  it("old keys keep working, new ones have the new ID, and every key issued meanwhile works immediately everywhere", async function () {
    this.timeout(60_000);
    const { cluster, admin, keys, known } = busy();
    const signedBy = (key: string) => parseKey(key)?.signingKeyId;
    const load = startLoad({ urls: cluster.gatewayUrls, keys });
    const refused: string[] = [];
    const ids = new Set<string | undefined>();
    let isOver = false;
    const issueOn = async () => {
      while (!isOver) {
        const { key } = await admin.issueKey();
        ids.add(signedBy(key));
        for (const url of cluster.gatewayUrls) {
          const { status, text } = await sendFrom(url, freshIpv4(), keyed(key));
          if (status !== 200) refused.push(`${status} ${text}`);
        }
        await delay(NEXT_KEY_MS);
      }
    };
    const issuing = issueOn();
    try {
      await runOperation(["rotate", "signing-key"], cluster);
      await waitFor("keys signed with another entry", () => ids.size > 1, 5_000);
      await load.more(200);
    } finally {
      isOver = true;
      await issuing;
      await load.stop();
    }
    expect(refused).to.deep.equal([]);
    expect(load.report.statuses).to.have.all.keys("200");
    expect(ids.size).to.equal(2);
    expect([...ids][0]).to.equal(signedBy(known.key));
    expect((await admin.issueKeys(4)).map(({ key }) => signedBy(key))).to.deep.equal(Array(4).fill([...ids][1]));
  });
});
