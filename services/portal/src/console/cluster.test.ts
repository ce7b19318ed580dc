import { expect } from "chai";
import { createClusterView, type Resolve, resolveWithin } from "./cluster.ts";

const TIMEOUT_MS = 10;
const NEVER = new Promise<never>(() => {});

describe("the cluster page's DNS lookups", () => {
  it("have a deadline, and aren't repeated while the resolver isn't responding", async () => {
    const targets: string[] = [];
    let respond = (_: string[]) => {};
    const resolve: Resolve = (target) => {
      targets.push(target);
      return new Promise((fulfill) => {
        respond = fulfill;
      });
    };
    const resolveInTime = resolveWithin(TIMEOUT_MS, resolve);
    for (let tries = 0; tries < 3; tries += 1) {
      const error = await resolveInTime("geo:1").catch((reason: Error) => reason);
      expect(error).to.have.property("message", "geo:1 can't be resolved: no DNS response within 10 ms");
    }
    expect(targets).to.deep.equal(["geo:1"]);
    const late = resolveInTime("geo:1");
    respond(["10.0.0.1:1"]);
    expect(await late).to.deep.equal(["10.0.0.1:1"]);
    const next = resolveInTime("geo:1");
    respond(["10.0.0.2:1"]);
    expect(await next).to.deep.equal(["10.0.0.2:1"]);
    expect(targets).to.have.length(2);
  });

  it("don't delay other services when one of them hangs", async () => {
    const resolve: Resolve = async (target) => (target === "geo:1" ? NEVER : ["127.0.0.1:1"]);
    const view = createClusterView(
      [
        { service: "geo", target: "geo:1" },
        { service: "auth", target: "auth:1" },
      ],
      () => 0,
      resolveWithin(TIMEOUT_MS, resolve),
    );
    const [geo, auth] = await view();
    expect(geo?.processes[0])
      .to.have.property("problem")
      .that.matches(/no DNS response/);
    expect(auth?.processes[0]).to.include({ address: "127.0.0.1:1" });
  });
});
