import type { KeyView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { expect } from "chai";
import { keyUsage } from "./key-usage.ts";

type Context = Parameters<typeof keyUsage>[0];

describe("keyUsage", () => {
  let fetched: string[];
  let nowMs: number;
  beforeEach(() => {
    fetched = [];
    nowMs = Date.UTC(2026, 4, 31, 23, 59, 59);
  });
  const backend = {
    usage: async (keyId: string, month: string) => {
      fetched.push(month);
      return { keyId, month, total: 1, days: [], refusals: [] };
    },
    quotaUsage: async (quotaId: string, month: string) => ({
      total: quotaId === "customer_acme" ? Number(month.slice(5)) : -1,
    }),
  };
  const usageOf = (key: object) =>
    keyUsage(
      { backend, deployment: () => ({ plans: () => null }), clock: () => nowMs } as unknown as Context,
      { keyId: "key_1", ...key } as KeyView,
      "days",
    );

  it("fetches past months once, and again when the current one ends", async () => {
    const collect = usageOf({});
    await collect();
    expect(fetched.splice(0)).to.have.length(14);
    await collect();
    expect(fetched.splice(0)).to.deep.equal(["2026-05"]);
    nowMs += 1_000;
    const { months } = await collect();
    expect([months[0], months.at(-2), months.at(-1)].map((each) => each?.month)).to.deep.equal([
      "2025-05",
      "2026-05",
      "2026-06",
    ]);
  });

  it("has what all keys used of a shared quota in this month", async () => {
    expect((await usageOf({ quota: { id: "customer_acme", monthlyRequests: 9 } })()).sharedUse).to.equal(5);
    expect((await usageOf({ quota: { id: "key_1", monthlyRequests: 9 } })()).sharedUse).to.equal(null);
  });
});
