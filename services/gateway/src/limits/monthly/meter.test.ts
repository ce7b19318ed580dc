import type { Admission, PeerUsageClient } from "@geolookup/shared/domain/usage.ts";
import { expect } from "chai";
import type { MeteredKey } from "./meter.ts";
import { meterFixture } from "./testing/meter-fixture.ts";

const MAY_31 = Date.parse("2026-05-31T23:59:59.999Z");
const JUNE_1 = Date.parse("2026-06-01T00:00:00.000Z");

describe("meter", () => {
  const fixture = meterFixture();

  describe("admits", () => {
    it("exactly the quota of many concurrent requests", async () => {
      const admissions: Admission[] = await Promise.all(
        Array.from({ length: 100 }, async () => {
          const admission = await fixture.meter.admit({ keyId: "key1", monthlyRequests: 37 });
          await Promise.resolve();
          if (admission.admitted) await admission.count();
          return admission;
        }),
      );
      expect(admissions.filter(({ admitted }) => admitted)).to.have.length(37);
      await fixture.meter[Symbol.asyncDispose]();
      expect(await fixture.total()).to.equal(37);
    });

    it("synchronously once a key is known, and reports what remains", () => {
      const admissions = [1, 2, 3].map(() => fixture.meter.admit({ keyId: "key1", monthlyRequests: 2 }));
      expect(admissions.map((admission) => "remaining" in admission && admission.remaining)).to.deep.equal([
        1,
        0,
        false,
      ]);
    });

    it("again after a release", async () => {
      const first = await fixture.admit(1);
      expect(await fixture.isAdmitted(1)).to.equal(false);
      first.release();
      expect(await fixture.isAdmitted(1)).to.equal(true);
    });

    it("nothing for a key ID that isn't valid in a journal", () => {
      for (const keyId of ["", "key 1", "key\n1", "k".repeat(101)]) {
        expect(() => fixture.meter.admit({ keyId, monthlyRequests: 5 })).to.throw();
        const quota = { id: "customer_acme", monthlyRequests: 5 };
        expect(() => fixture.meter.admit({ keyId, monthlyRequests: 5, quota })).to.throw();
      }
    });

    it("exactly the quota that keys share, and counts each key's requests", async () => {
      const quota = { id: "customer_acme", monthlyRequests: 37 };
      const keys = ["key1", "key2", "key3"].map((keyId): MeteredKey => ({ keyId, monthlyRequests: 1, quota }));
      const admitted = new Map<string, number>();
      const admissions = await Promise.all(
        Array.from({ length: 100 }, async (_, index) => {
          const key = keys[index % keys.length] as MeteredKey;
          const admission = await fixture.meter.admit(key);
          if (!admission.admitted) return admission;
          await admission.count();
          admitted.set(key.keyId, (admitted.get(key.keyId) ?? 0) + 1);
          return admission;
        }),
      );
      const remaining = admissions.flatMap((admission) => (admission.admitted ? [admission.remaining] : []));
      expect(remaining).to.have.members(Array.from({ length: 37 }, (_, left) => left));
      expect(admissions.find((admission) => !admission.admitted)).to.include({ limit: 37, isShared: true });
      expect(await fixture.isAdmitted(1), "with a quota of its own").to.equal(true);
      await fixture.meter[Symbol.asyncDispose]();
      const counted = Array.from(admitted, ([keyId, count]) => [`customer_acme/${keyId}`, count]);
      expect([...(await fixture.counts())].sort()).to.deep.equal(counted.sort());
      await fixture.open();
      for (const key of keys) expect(await fixture.meter.admit(key)).to.have.property("admitted", false);
    });

    it("what a rotated key and its successor share, and counts the rotated one as before", async () => {
      const rotated: MeteredKey = { keyId: "key1", monthlyRequests: 10 };
      const successor: MeteredKey = { keyId: "key2", monthlyRequests: 10, quota: { id: "key1", monthlyRequests: 10 } };
      for (const key of [rotated, successor, successor]) {
        const admission = await fixture.meter.admit(key);
        if (admission.admitted) await admission.count();
      }
      expect(await fixture.meter.admit(rotated)).to.include({ admitted: true, limit: 10, remaining: 6 });
      await fixture.meter[Symbol.asyncDispose]();
      expect(await fixture.counts()).to.deep.equal(
        new Map([
          ["key1", 1],
          ["key1/key2", 2],
        ]),
      );
    });
  });

  describe("waits for peer usage", () => {
    const reopen = async (respond: (month: string, keyIds: readonly string[]) => Promise<number[]>) => {
      await fixture.meter[Symbol.asyncDispose]();
      const client: PeerUsageClient = {
        connected: async () => undefined,
        totals: async (month, keyIds) => ({ totals: await respond(month, keyIds), position: 0 }),
        changes: async () => null,
        [Symbol.dispose]() {},
      };
      await fixture.open({ connectPeers: () => client });
    };

    it("with one query for all concurrent requests, and admits exactly what is left", async () => {
      const requested: string[] = [];
      const response = Promise.withResolvers<number[]>();
      await reopen((month, keyIds) => {
        requested.push(`${keyIds} ${month}`);
        return response.promise;
      });
      const admissions = Array.from({ length: 50 }, () => fixture.meter.admit({ keyId: "key1", monthlyRequests: 15 }));
      response.resolve([10]);
      const admitted = (await Promise.all(admissions)).filter((admission) => admission.admitted);
      expect(admitted).to.have.length(5);
      expect(requested).to.deep.equal(["key1 2026-05"]);
      expect(fixture.meter.admit({ keyId: "key1", monthlyRequests: 15 })).to.have.property("admitted", false);
    });

    it("in the month of the request, even if the response comes in the next", async () => {
      const response = Promise.withResolvers<number[]>();
      await reopen(() => response.promise);
      fixture.now = MAY_31;
      const admission = fixture.meter.admit({ keyId: "key1", monthlyRequests: 15 });
      fixture.now = JUNE_1;
      response.resolve([14]);
      expect(await admission).to.include({ admitted: true, remaining: 0, resetUnixSeconds: JUNE_1 / 1000 });
    });

    it("and continues without it if the query fails", async () => {
      await reopen(() => Promise.reject(new Error("unavailable")));
      expect(await fixture.meter.admit({ keyId: "key1", monthlyRequests: 5 })).to.include({
        admitted: true,
        remaining: 4,
      });
    });
  });

  describe("at the end of a month", () => {
    it("counts each request in the month in which it was admitted", async () => {
      fixture.now = MAY_31;
      const may = await fixture.admit(10);
      expect(may.resetUnixSeconds).to.equal(Date.parse("2026-06-01T00:00:00Z") / 1000);
      fixture.now = JUNE_1;
      const june = await fixture.admit(10);
      expect(june).to.include({ remaining: 9, resetUnixSeconds: Date.parse("2026-07-01T00:00:00Z") / 1000 });
      await june.count();
      await may.count();
      await fixture.meter[Symbol.asyncDispose]();
      expect(await fixture.month("2026-05")).to.deep.equal({
        total: 1,
        days: [{ day: "2026-05-31", requests: 1 }],
      });
      expect(await fixture.month("2026-06")).to.deep.equal({
        total: 1,
        days: [{ day: "2026-06-01", requests: 1 }],
      });
    });

    it("counts toward the key's next quota from the month from which on it applies", async () => {
      const key: MeteredKey = {
        ...{ keyId: "key1", monthlyRequests: 10, quota: { id: "customer_a", monthlyRequests: 20 } },
        nextQuota: { id: "customer_b", monthlyRequests: 30, from: "2026-06" },
      };
      const admit = async () => {
        const admission = await fixture.meter.admit(key);
        if (admission.admitted) await admission.count();
        return admission;
      };
      fixture.now = MAY_31;
      for (const remaining of [19, 18]) expect(await admit()).to.include({ limit: 20, remaining });
      fixture.now = JUNE_1;
      for (const remaining of [29, 28, 27]) expect(await admit()).to.include({ limit: 30, remaining });
      key.nextQuota = { id: "key1", monthlyRequests: 10, from: "2026-06" };
      key.counts = undefined;
      expect(await admit()).to.include({ limit: 10, remaining: 9 });
      await fixture.meter[Symbol.asyncDispose]();
      expect(await fixture.counts()).to.deep.equal(
        new Map([
          ["customer_a/key1", 2],
          ["customer_b/key1", 3],
          ["key1", 1],
        ]),
      );
    });

    it("reserves and releases in the month of admission", async () => {
      fixture.now = MAY_31;
      const held = await fixture.admit(1);
      fixture.now = JUNE_1;
      expect(await fixture.isAdmitted(1)).to.equal(true);
      fixture.now = MAY_31;
      expect(await fixture.isAdmitted(1)).to.equal(false);
      held.release();
      expect(await fixture.isAdmitted(1)).to.equal(true);
    });

    it("loses nothing if the clock jumps back and forth", async () => {
      fixture.now = MAY_31;
      await fixture.count(3);
      fixture.now = JUNE_1;
      await fixture.count(2);
      fixture.now = MAY_31;
      await fixture.count(4);
      expect(await fixture.isAdmitted(7)).to.equal(false);
      fixture.now = JUNE_1;
      expect(await fixture.isAdmitted(2)).to.equal(false);
      await fixture.meter[Symbol.asyncDispose]();
      expect([await fixture.total("2026-05"), await fixture.total("2026-06")]).to.deep.equal([7, 2]);
    });
  });

  it("exposes metrics", async () => {
    await fixture.count(2);
    fixture.now += 1_500;
    await fixture.meter.admit({ keyId: "key1", monthlyRequests: 2 });
    expect(await fixture.metric("geolookup_quota_admissions_total")).to.have.deep.members([
      { value: 2, labels: { decision: "admitted" } },
      { value: 1, labels: { decision: "refused" } },
    ]);
    expect(await fixture.metric("geolookup_usage_unacknowledged_counts")).to.deep.equal([{ value: 1, labels: {} }]);
    expect(await fixture.metric("geolookup_usage_flush_lag_seconds")).to.deep.equal([{ value: 1.5, labels: {} }]);
    expect(await fixture.metric("geolookup_usage_journal_bytes")).to.deep.equal([{ value: 36, labels: {} }]);
    await fixture.meter[Symbol.asyncDispose]();
    expect(await fixture.metric("geolookup_usage_unacknowledged_counts")).to.deep.equal([{ value: 0, labels: {} }]);
    expect(await fixture.metric("geolookup_usage_flush_lag_seconds")).to.deep.equal([{ value: 0, labels: {} }]);
  });
});
