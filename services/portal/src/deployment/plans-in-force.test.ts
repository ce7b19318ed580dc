import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { PlansView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { expect } from "chai";
import { pino } from "pino";
import { followPlansInForce } from "./plans-in-force.ts";

const log = pino({ level: "silent" });

describe("followPlansInForce", () => {
  let now = 0;
  let quota: number | null;
  const fetchPlans = async (): Promise<PlansView> => {
    if (quota === null) throw new ServiceError("unavailable", "auth is down");
    const plans = { start: { fields: "free" as const, monthlyRequests: quota } };
    return { plans, hash: "", version: 1, at: "", by: "", held: null };
  };
  const follow = () => followPlansInForce(fetchPlans, { log, clock: () => now });

  it("has auth's plans at once, and refetches them after 10 s", async () => {
    quota = 10;
    await using plans = await follow();
    const current = () => plans.current()?.get("start")?.monthlyRequests;
    expect(current()).to.equal(10);
    quota = 20;
    now += 9_999;
    await plans.poll();
    expect(current()).to.equal(10);
    now += 1;
    await plans.poll();
    expect(current()).to.equal(20);
  });

  it("has none until auth responds, then the last known ones while it doesn't, or responds with invalid ones", async () => {
    quota = null;
    await using plans = await follow();
    expect(plans.current()).to.equal(null);
    for (const next of [10, null, -1]) {
      quota = next;
      now += 10_000;
      await plans.poll();
      expect(plans.current()?.get("start")?.monthlyRequests).to.equal(10);
    }
  });
});
