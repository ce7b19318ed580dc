import { expect } from "chai";
import { latencyMs, type Seen, watchChange } from "../harness/cluster-change.ts";
import { onBusyCluster } from "../harness/cluster-fault-suite.ts";
import { keyed } from "../harness/slots.ts";

/** How soon a change must reach every gateway. */
const EFFECTIVE_MS = 1_000;

const TITLE = "key changes take effect on all gateways within 1 s, and never revert";

onBusyCluster(TITLE, { isShared: true }, (busy) => {
  const isRevoked = ({ status, body }: Seen) => status === 401 && body.includes("revoked_key");
  for (const [what, change, isChanged] of [
    ["a revocation", (keyId: string) => busy().admin.revoke(keyId), isRevoked],
    [
      "another plan",
      (keyId: string) => busy().admin.setPlan(keyId, "free"),
      ({ body }: Seen) => !body.includes('"city"'),
    ],
    [
      "another origin allowlist",
      (keyId: string) => busy().admin.setOrigins(keyId, ["https://app.example.com"]),
      ({ status }: Seen) => status === 403,
    ],
  ] as const)
    it(what, async function () {
      this.timeout(60_000);
      const { cluster, admin } = busy();
      const key = await admin.issueKey();
      const path = keyed(key.key).path ?? "";
      const { gateways, changedMs } = await watchChange(cluster.gatewayUrls, path, () => change(key.keyId), isChanged);
      for (const seen of gateways) {
        expect(seen[0]?.status, "before the change").to.equal(200);
        const first = seen.findIndex(isChanged);
        expect(seen.slice(first).every(isChanged), "never back").to.equal(true);
        expect(latencyMs(seen, changedMs, isChanged), "ms after the operator's command ended").to.be.below(
          EFFECTIVE_MS,
        );
      }
    });
});
