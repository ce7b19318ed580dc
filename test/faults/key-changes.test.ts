import { expect } from "chai";
import { freshIpv4 } from "../harness/addresses.ts";
import { latencyMs, type Seen, watchChange } from "../harness/cluster-change.ts";
import { onBusyCluster } from "../harness/cluster-fault-suite.ts";
import { sendFrom } from "../harness/cluster-health.ts";
import type { LoadKey } from "../harness/load.ts";
import { keyed } from "../harness/slots.ts";
import { waitFor } from "../harness/wait-for.ts";

/** How soon a change must reach every gateway. */
const EFFECTIVE_MS = 1_000;

const TITLE = "key changes take effect on all gateways within 1 s, and never revert";

onBusyCluster(TITLE, { isShared: true }, (busy) => {
  const isRevoked = ({ status, body }: Seen) => status === 401 && body.includes("revoked_key");
  const isEnded = ({ status, body }: Seen) => status === 401 && body.includes("unknown_key");
  for (const [what, change, isChanged] of [
    ["a revocation", (keyId: string) => busy().admin.revoke(keyId), isRevoked],
    ["a pause", (keyId: string) => busy().admin.disable(keyId), isEnded],
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

  it("a key expires at its time, and a disabled one stays so, while NATS and auth are down", async function () {
    this.timeout(60_000);
    const { cluster, admin, known } = busy();
    const statusesOf = ({ key }: LoadKey) =>
      Promise.all(cluster.gatewayUrls.map(async (url) => (await sendFrom(url, freshIpv4(), keyed(key))).status));
    const [expiring, disabled] = await Promise.all([admin.issueKey(), admin.issueKey()]);
    await admin.disable(disabled.keyId);
    const expiresAtMs = Date.now() + 5_000;
    await admin.setExpiry(expiring.keyId, new Date(expiresAtMs).toISOString());
    await waitFor(
      "the gateways to know both",
      async () => `${[await statusesOf(expiring), await statusesOf(disabled)]}` === "200,200,401,401",
      4_000,
    );
    const takeDown = async () => {
      await Promise.all([...cluster.ofKind("nats"), ...cluster.ofKind("auth")].map((part) => part.kill()));
      expect(Date.now(), "the key still works then").to.be.below(expiresAtMs);
      await waitFor("the expiry", () => Date.now() >= expiresAtMs, 5_000);
    };
    const path = keyed(expiring.key).path ?? "";
    const { gateways, changedMs } = await watchChange(cluster.gatewayUrls, path, takeDown, isEnded);
    for (const seen of gateways) {
      expect(seen[0]?.status, "before its time").to.equal(200);
      expect(seen.slice(seen.findIndex(isEnded)).every(isEnded), "never back").to.equal(true);
      expect(latencyMs(seen, changedMs, isEnded), "ms after its time").to.be.below(EFFECTIVE_MS);
    }
    expect(await statusesOf(disabled)).to.deep.equal([401, 401]);
    expect(await statusesOf(known)).to.deep.equal([200, 200]);
  });
});
