import { send } from "../harness/http.ts";
import type { LoadKey } from "../harness/load.ts";
import { keyed } from "../harness/slots.ts";
import { waitFor } from "../harness/wait-for.ts";
import { onKubernetes } from "./harness/suite.ts";
import { underLoad } from "./harness/under-load.ts";

describe("a NATS server that fails on Kubernetes", function () {
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
});
