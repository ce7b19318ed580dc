import type { Grant } from "@geolookup/shared/domain/authorize.ts";
import type { PlanLimits } from "@geolookup/shared/domain/plans.ts";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { checkPlanLimits, type LimitCheck, type LimitParts } from "./check-limits.ts";
import type { HourlyDecision } from "./hourly/hourly-limit.ts";
import { memoryHourlyLimit } from "./hourly/memory-limit.ts";
import { meterFixture } from "./monthly/testing/meter-fixture.ts";
import { createKeyRates } from "./rates/key-rates.ts";

const IP = "192.0.2.7";
const OTHER_IP = "192.0.2.8";
const KEY_ID = "key1";

describe("checkPlanLimits", () => {
  const fixture = meterFixture();
  let parts: LimitParts;
  beforeEach(() => {
    const clock = () => fixture.now;
    parts = {
      meter: fixture.meter,
      hourlyLimit: memoryHourlyLimit({ limit: 60, ipv6Prefix: 64, clock, registry: new Registry() }),
      keyRates: createKeyRates({ clock }),
    };
  });

  const grantOf = (monthlyRequests: number): Grant => ({
    ...{ keyId: KEY_ID, kind: "publishable", plan: "widget", fields: "paid", origins: [], display: "geo_pk_…abcd" },
    monthlyRequests,
  });
  const check = (limits: PlanLimits, { ip = IP, month = 1_000 } = {}) =>
    checkPlanLimits(parts, grantOf(month), limits, ip);
  const codeOf = (check: LimitCheck) =>
    check.problem === null ? "ok" : "exceeded" in check.problem ? check.problem.exceeded : check.problem.code;
  /** Sends concurrent requests, and counts those admitted. @returns their results. */
  const burst = async (count: number, ...request: Parameters<typeof check>) => {
    const checks = await Promise.all(Array.from({ length: count }, async () => check(...request)));
    for (const checked of checks) if (checked.problem === null) await checked.count();
    const found: Record<string, number> = {};
    for (const code of checks.map(codeOf)) found[code] = (found[code] ?? 0) + 1;
    return found;
  };
  const HOURLY: PlanLimits = { perCallerHourly: 20, rate: null };
  const RATE: PlanLimits = { perCallerHourly: null, rate: { perSecond: 10, burst: 15 } };
  const BOTH: PlanLimits = { perCallerHourly: 20, rate: { perSecond: 10, burst: 15 } };

  it("admits exactly the hour's limit of many concurrent requests, and reports the month's allowance", async () => {
    const first = await check(HOURLY);
    expect(first).to.deep.include({
      problem: null,
      allowance: { limit: 1_000, remaining: 999, resetUnixSeconds: Date.UTC(2026, 5) / 1000 },
    });
    expect(await burst(200, HOURLY)).to.deep.equal({ ok: 19, caller_hourly: 181 });
    expect(await burst(200, HOURLY, { ip: OTHER_IP })).to.deep.equal({ ok: 20, caller_hourly: 180 });
  });

  it("reports which limit was reached, and when it resets", async () => {
    await burst(20, HOURLY);
    expect(await check(HOURLY)).to.deep.equal({
      problem: {
        ...{ code: "rate_limited", exceeded: "caller_hourly", plan: "widget", display: "geo_pk_…abcd", limit: 20 },
        resetUnixSeconds: fixture.now / 1000 + 3_600,
      },
    });
    await burst(20, RATE);
    expect(await check(RATE)).to.deep.equal({
      problem: {
        ...{ code: "rate_limited", exceeded: "per_second", plan: "widget", display: "geo_pk_…abcd", limit: 10 },
        ...{ burst: 15, resetUnixSeconds: fixture.now / 1000 + 1 },
      },
    });
  });

  it("takes nothing from the second or the month if the hour refuses", async () => {
    await burst(20, HOURLY);
    for (let index = 0; index < 100; index += 1) expect(codeOf(await check(BOTH))).to.equal("caller_hourly");
    expect(await burst(100, BOTH, { ip: OTHER_IP })).to.deep.equal({ ok: 15, per_second: 85 });
    expect(await fixture.isAdmitted(36), "20 + 15 of 36").to.equal(true);
    expect(await fixture.isAdmitted(36), "and one more").to.equal(false);
  });

  it("takes nothing from the hour or the month if the second refuses", async () => {
    expect(await burst(200, BOTH)).to.deep.equal({ ok: 15, per_second: 185 });
    fixture.now += 10_000;
    expect(await burst(200, BOTH, { month: 20 })).to.deep.equal({ ok: 5, quota_exceeded: 195 });
    fixture.now += 10_000;
    expect(await burst(200, BOTH), "20 of the hour are used").to.deep.equal({ caller_hourly: 200 });
  });

  it("takes nothing from the second or the hour if the month refuses", async () => {
    expect(await burst(100, BOTH, { month: 0 })).to.deep.equal({ quota_exceeded: 100 });
    expect(await burst(100, BOTH)).to.deep.equal({ ok: 15, per_second: 85 });
  });

  it("reserves the second until the hour decides, and releases it if refused", async () => {
    const decided = Promise.withResolvers<HourlyDecision>();
    const counted = parts.hourlyLimit;
    parts.hourlyLimit = { limit: 60, take: () => decided.promise };
    const waiting = Array.from({ length: 15 }, () => check(BOTH));
    expect(codeOf(await check(BOTH)), "all are reserved").to.equal("per_second");
    decided.resolve({ admitted: false, remaining: 0, resetUnixSeconds: 0 });
    for (const checked of await Promise.all(waiting)) expect(codeOf(checked)).to.equal("caller_hourly");
    parts.hourlyLimit = counted;
    expect(await burst(100, BOTH)).to.deep.equal({ ok: 15, per_second: 85 });
  });

  it("is synchronous if nothing has to be queried", async () => {
    expect(await check(BOTH), "the key's first").to.include({ problem: null });
    for (const limits of [BOTH, HOURLY, RATE]) expect(check(limits)).not.to.be.instanceOf(Promise);
  });
});
