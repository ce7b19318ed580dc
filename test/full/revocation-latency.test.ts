import { expect } from "chai";
import { latencyMs, type Seen, watchChange } from "../harness/cluster-change.ts";
import { onBusyCluster } from "../harness/cluster-fault-suite.ts";
import { keyed } from "../harness/slots.ts";

const REVOCATIONS = 50;
/** How soon a revocation must reach every gateway. */
const EFFECTIVE_MS = 1_000;
const WITHOUT_NATS_MS = 30_000;

const isRevoked = ({ status, body }: Seen) => status === 401 && body.includes("revoked_key");

onBusyCluster("the latency of revocations", { proxied: true }, (busy) => {
  const revoke = async () => {
    const { cluster, admin } = busy();
    const key = await admin.issueKey();
    const path = keyed(key.key).path ?? "";
    const { gateways, changedMs } = await watchChange(
      cluster.gatewayUrls,
      path,
      () => admin.revoke(key.keyId),
      isRevoked,
    );
    return gateways.map((seen) => {
      expect(seen[0]?.status).to.equal(200);
      expect(seen.slice(seen.findIndex(isRevoked)).every(isRevoked), "never back").to.equal(true);
      return latencyMs(seen, changedMs, isRevoked);
    });
  };

  it(`${REVOCATIONS} revocations: each within 1 s on all gateways`, async function () {
    this.timeout(REVOCATIONS * 5_000);
    const latencies: number[] = [];
    for (let count = 0; count < REVOCATIONS; count += 1) latencies.push(Math.max(...(await revoke())));
    latencies.sort((a, b) => a - b);
    const percentile = (share: number) => latencies[Math.ceil(latencies.length * share) - 1]?.toFixed(1);
    console.log(`      ms after the operator's command ended: p50 ${percentile(0.5)}, p99 ${percentile(0.99)}`);
    expect(latencies.at(-1)).to.be.below(EFFECTIVE_MS);
  });

  it("with the gateways cut off from NATS: within 30 s", async function () {
    this.timeout(60_000);
    const nats = busy().cluster.part("nats");
    nats.blackhole("gateway");
    try {
      for (const latency of await revoke()) expect(latency).to.be.below(WITHOUT_NATS_MS);
    } finally {
      nats.open();
    }
  });
});
