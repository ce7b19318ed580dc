import type { UsageView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { expect } from "chai";
import { usageView } from "./usage-view.ts";

const NOW_MS = Date.UTC(2026, 2, 5, 12);
const key = { keyId: "key_1", plan: "free", createdAt: "2026-01-01T00:00:00Z" };
const month = (name: string, total = 0, ...days: string[]): UsageView => ({
  ...{ keyId: "key_1", month: name, total },
  days: days.map((day) => ({ day, requests: 1 })),
  refusals: [],
});
const shown = (months: UsageView[], createdAt = key.createdAt) =>
  usageView({
    ...{ key: { ...key, createdAt }, months, range: "days", hours: null, plans: null, sharedUse: null, nowMs: NOW_MS },
  }).text;
const lastUsed = (...args: Parameters<typeof shown>) =>
  /Last used<\/p><p class="count">(.*?)</.exec(shown(...args))?.[1];

describe("usageView", () => {
  it("says when the key was last used, by day, or by month if its days are gone", () => {
    const now = month("2026-03");
    expect(lastUsed([month("2026-02", 3, "2026-02-01", "2026-02-10"), now])).to.equal("2026-02-10");
    expect(lastUsed([now, month("2026-03", 1, "2026-03-05")])).to.equal("today");
    expect(lastUsed([month("2026-02", 7), now])).to.equal("2026-02");
    expect(lastUsed([month("2026-01"), now])).to.equal("never");
    expect(lastUsed([month("2026-02"), now])).to.equal("before 2026-02, or never");
  });

  it("shows what all keys have used of a shared quota, and not its plan's", () => {
    const plans = new Map([["free", { fields: "free" as const, monthlyRequests: 100 }]]);
    const quotaOf = (more: object, sharedUse: number | null) => {
      const page = {
        ...{ months: [month("2026-03", 7)], range: "days" as const, hours: null },
        plans,
        sharedUse,
        nowMs: NOW_MS,
      };
      const { text } = usageView({ ...page, key: { ...key, ...more } });
      return /<p class="name">(Quota.*?)<\/div>/s
        .exec(text)?.[1]
        ?.replaceAll(/<[^>]*>|\s+/g, " ")
        .replaceAll(/ +/g, " ");
    };
    expect(quotaOf({ quota: { id: "key_1", monthlyRequests: 100 } }, null)).to.match(/^Quota 7 of 100/);
    const quota = { id: "customer_acme", monthlyRequests: 50 };
    expect(quotaOf({ quota }, 30)).to.match(/^Quota, shared with other keys 30 of 50/);
    expect(quotaOf({ quota }, null)).to.match(/^Quota, shared with other keys not available/);
    expect(quotaOf({ quota: { id: "key_1", monthlyRequests: 100 }, rotatedTo: "key_2" }, 30)).to.match(
      /^Quota, shared with other keys 30 of 100/,
    );
  });
});
