import { expect } from "chai";
import { freshIpv4 } from "../harness/addresses.ts";
import { send } from "../harness/http.ts";
import type { LoadKey } from "../harness/load.ts";
import { keyed } from "../harness/slots.ts";
import { waitFor } from "../harness/wait-for.ts";
import { onKubernetes } from "./harness/suite.ts";
import { underLoad } from "./harness/under-load.ts";

const KEYLESS_LIMIT = 60;
const GATEWAYS = 2;

describe("NATS and Redis that fail on Kubernetes", function () {
  this.timeout(600_000);
  const cluster = onKubernetes();
  let keys: LoadKey[];
  before(async () => {
    keys = await cluster().issueKeys(4);
  });
  const works = async ({ key }: LoadKey) => (await send(await cluster().url(), keyed(key))).status === 200;

  it("a killed NATS server of three: keys can be issued, and counts are recorded", async () => {
    await cluster().ready("nats", 3);
    await underLoad(cluster(), keys, async () => {
      await cluster().kubectl("delete", "pod", "nats-0", "--force", "--grace-period", "0");
      const [issued] = await waitFor(
        "a key to be issued",
        () =>
          cluster()
            .issueKeys(1)
            .catch(() => undefined),
        20_000,
      );
      await waitFor("the new key to work", async () => issued && (await works(issued)), 10_000);
    });
    await cluster().ready("nats", 3);
  });

  it("no Redis: requests succeed, and each gateway limits keyless callers", async () => {
    await cluster().ready("gateway", GATEWAYS);
    const from = freshIpv4();
    const statuses: number[] = [];
    await underLoad(cluster(), keys, async () => {
      await cluster().kubectl("scale", "deployment/redis", "--replicas=0");
      await cluster().ready("redis", 0);
      const url = await cluster().url();
      // Until every gateway has refused some.
      for (let sent = 0; sent < 3 * GATEWAYS * KEYLESS_LIMIT; sent++)
        statuses.push((await send(url, { headers: { "X-Forwarded-For": from } })).status);
      await cluster().kubectl("scale", "deployment/redis", "--replicas=1");
      await cluster().ready("redis", 1);
    });
    expect(new Set(statuses)).to.deep.equal(new Set([200, 429]));
    const served = statuses.filter((status) => status === 200).length;
    expect(served).to.be.within(KEYLESS_LIMIT, GATEWAYS * KEYLESS_LIMIT);
  });
});
