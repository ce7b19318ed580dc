import { expect } from "chai";
import { createClusterView } from "./cluster.ts";
import { type LookUp, lookUpWithin } from "./node-lookup.ts";

const TIMEOUT_MS = 10;
const NEVER = new Promise<never>(() => {});

describe("the cluster page's look-ups", () => {
  it("end in time, and are not begun again while the resolver hangs", async () => {
    const asked: string[] = [];
    let answer = (_: string[]) => {};
    const lookUp: LookUp = (target) => {
      asked.push(target);
      return new Promise((resolve) => {
        answer = resolve;
      });
    };
    const find = lookUpWithin({ lookUp, timeoutMs: TIMEOUT_MS });
    for (let tries = 0; tries < 3; tries += 1) {
      const error = await find("geo:1").catch((reason: Error) => reason);
      expect(error).to.have.property("message", "geo:1 cannot be looked up: no answer of DNS within 10 ms");
    }
    expect(asked).to.deep.equal(["geo:1"]);
    const late = find("geo:1");
    answer(["10.0.0.1:1"]);
    expect(await late).to.deep.equal(["10.0.0.1:1"]);
    const anew = find("geo:1");
    answer(["10.0.0.2:1"]);
    expect(await anew).to.deep.equal(["10.0.0.2:1"]);
    expect(asked).to.have.length(2);
  });

  it("hold up no other service's line when one of them hangs", async () => {
    const lookUp: LookUp = async (target) => (target === "geo:1" ? NEVER : ["127.0.0.1:1"]);
    const view = createClusterView({
      targets: [
        { service: "geo", target: "geo:1" },
        { service: "auth", target: "auth:1" },
      ],
      clock: () => 0,
      lookUp: lookUpWithin({ lookUp, timeoutMs: TIMEOUT_MS }),
    });
    const [geo, auth] = await view();
    expect(geo?.processes[0])
      .to.have.property("trouble")
      .that.matches(/no answer of DNS/);
    expect(auth?.processes[0]).to.include({ address: "127.0.0.1:1" });
  });
});
