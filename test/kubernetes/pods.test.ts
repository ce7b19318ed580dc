import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { run } from "../compose/harness/run.ts";
import type { LoadKey } from "../harness/load.ts";
import { onKubernetes } from "./harness/suite.ts";
import { underLoad } from "./harness/under-load.ts";

const COMPONENTS = ["geo", "auth", "usage", "portal"];

describe("pods that are replaced, killed and evicted under load on Kubernetes", function () {
  this.timeout(600_000);
  const cluster = onKubernetes();
  let keys: LoadKey[];
  before(async () => {
    keys = await cluster().issueKeys(4);
  });

  for (const component of COMPONENTS)
    it(`a rolling update of ${component}: no request fails`, async () => {
      const workload = `deployment/${component}`;
      const before = (await cluster().ready(component, 2)).map(({ uid }) => uid);
      await underLoad(cluster(), keys, async () => {
        await cluster().kubectl("rollout", "restart", workload);
        await cluster().kubectl("rollout", "status", workload, "--timeout", "300s");
        const after = (await cluster().ready(component, 2)).map(({ uid }) => uid);
        expect(after).to.not.include.members(before.slice(0, 1)).and.to.not.include.members(before.slice(1));
      });
    });

  for (const component of COMPONENTS)
    it(`a killed pod of ${component}: no request fails`, async () => {
      const [victim] = await cluster().ready(component, 2);
      await underLoad(cluster(), keys, async () => {
        await cluster().kubectl("delete", "pod", victim?.name ?? "", "--force", "--grace-period", "0");
        await cluster().ready(component, 2);
      });
    });

  it("an eviction that the budget forbids is refused, and one that it permits fails no request", async () => {
    const pods = await cluster().ready("auth", 2);
    const evict = async (name: string) => {
      const file = join(cluster().folder, "eviction.json");
      const isCurrent = (await cluster().kubectl("api-versions")).split("\n").includes("policy/v1");
      const apiVersion = isCurrent ? "policy/v1" : "policy/v1beta1";
      writeFileSync(file, JSON.stringify({ apiVersion, kind: "Eviction", metadata: { name, namespace: "geolookup" } }));
      const path = `/api/v1/namespaces/geolookup/pods/${name}/eviction`;
      return run("kubectl", ["create", "--raw", path, "--filename", file], cluster().environment);
    };
    await underLoad(cluster(), keys, async () => {
      expect((await evict(pods[0]?.name ?? "")).status).to.equal(0);
      const second = await evict(pods[1]?.name ?? "");
      expect(second.status).to.not.equal(0);
      expect(second.stderr).to.match(/disruption budget/);
      await cluster().ready("auth", 2);
    });
  });
});
