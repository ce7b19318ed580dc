import { expect } from "chai";
import { type LoadKey, startLoad } from "../harness/load.ts";
import type { Pod } from "./harness/pods.ts";
import { onKubernetes } from "./harness/suite.ts";
import { expectBooks, underLoad } from "./harness/under-load.ts";

const MAX_OUTAGE_MS = 2_000;

describe("gateways that are replaced and killed under load on Kubernetes", function () {
  this.timeout(600_000);
  const cluster = onKubernetes();
  let keys: LoadKey[];
  before(async () => {
    keys = await cluster().issueKeys(4);
  });

  it("a rolling update: no request of a client that retries once fails", async () => {
    const before = (await cluster().ready("gateway", 2)).map(({ uid }) => uid);
    await underLoad(
      cluster(),
      keys,
      async () => {
        await cluster().kubectl("rollout", "restart", "statefulset/gateway");
        await cluster().kubectl("rollout", "status", "statefulset/gateway", "--timeout", "300s");
        const after = (await cluster().ready("gateway", 2)).map(({ uid }) => uid);
        expect(after).to.not.include.members(before.slice(0, 1)).and.to.not.include.members(before.slice(1));
      },
      { retriesElsewhere: true },
    );
  });

  it("one of two is killed: connections fail for at most 2 s, and no request of a client that retries once fails", async function () {
    const [victim, other] = (await cluster().ready("gateway", 2)) as [Pod, Pod];
    const loadOf = (url: string) => startLoad({ urls: [url], keys, clients: 4, requestsPerSecond: 50 });
    const loads = [loadOf(`http://${other.address}:8080`), loadOf(await cluster().url())] as const;
    await underLoad(
      cluster(),
      keys,
      async () => {
        await cluster().kubectl("delete", "pod", victim.name, "--force", "--grace-period", "0");
        await cluster().ready("gateway", 2);
        await Promise.all(loads.map((load) => load.stop()));
      },
      { retriesElsewhere: true },
    );
    const [toOther, toService] = loads.map(({ report }) => report);
    this.runnable().title += `: ${JSON.stringify(toService)}`;
    expect(toOther).to.deep.include({ errors: {}, partial: 0 });
    expect(toService).to.include({ partial: 0 });
    expect(toService?.errorSpanMs, JSON.stringify(toService?.errors)).to.be.at.most(MAX_OUTAGE_MS);
    for (const report of [toOther, toService]) expect(Object.keys(report?.statuses ?? {})).to.deep.equal(["200"]);
    await expectBooks(cluster(), keys);
  });
});
