import { expect } from "chai";
import { INCOMPLETE } from "../fixtures/odd-places.ts";
import type { IssuedKey } from "../harness/deployment.ts";
import { expectError, expectRecord, limitHeaders } from "../harness/expect-response.ts";
import { keyed } from "../harness/slots.ts";
import { onEveryDeployment } from "../harness/suite.ts";
import { waitFor } from "../harness/wait-for.ts";

/** The 1st of the next month, 00:00 UTC, in Unix seconds. */
function nextMonth(): number {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) / 1000;
}

onEveryDeployment("contract 8: monthly included requests", (deployment) => {
  const remainingAfter = async (key: IssuedKey, sent: object = {}) =>
    limitHeaders(await deployment().send({ ...keyed(key.key), ...sent })).remaining;

  it("exceeding gives 429 quota_exceeded, with X-RateLimit-* and Retry-After", async () => {
    const key = await deployment().issueKey({ plan: "tiny" });
    for (const remaining of [4, 3, 2, 1, 0]) {
      const response = await deployment().send(keyed(key.key));
      expectRecord(response);
      expect(limitHeaders(response)).to.deep.equal({ limit: 5, remaining, reset: nextMonth() });
    }
    for (let count = 0; count < 2; count += 1) {
      const refused = await deployment().send(keyed(key.key));
      const message = expectError(refused, "quota_exceeded", deployment());
      expect(message).to.include("tiny").and.to.include("5");
      expect(limitHeaders(refused)).to.deep.equal({ limit: 5, remaining: 0, reset: nextMonth() });
      const untilReset = nextMonth() - Date.now() / 1000;
      expect(Number(refused.headers["retry-after"])).to.be.within(
        Math.floor(untilReset) - 1,
        Math.ceil(untilReset) + 2,
      );
    }
  });

  it("is exact under concurrency: of 130 at once exactly the included 100 succeed", async () => {
    const key = await deployment().issueKey({ plan: "hundred" });
    const responses = await Promise.all(Array.from({ length: 130 }, () => deployment().send(keyed(key.key))));
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).to.have.length(100);
    expect(statuses.filter((status) => status === 429)).to.have.length(30);
    const remaining = responses
      .filter(({ status }) => status === 200)
      .map((response) => limitHeaders(response).remaining);
    expect(remaining.sort((a, b) => a - b)).to.deep.equal(Array.from({ length: 100 }, (_, index) => index));
  });

  it("counts every 200, including HEAD, partial and trimmed ones, wherever the key is sent", async () => {
    const key = await deployment().issueKey({ plan: "tiny" });
    expect(await remainingAfter(key, { method: "HEAD" })).to.equal(4);
    expect(await remainingAfter(key, { from: INCOMPLETE.city.address })).to.equal(3);
    expect(await remainingAfter(key, { path: `/?key=${key.key}&fields=nonsense` })).to.equal(2);
    expect(await remainingAfter(key, { path: "/", headers: { "X-API-Key": key.key } })).to.equal(1);
    expect(await remainingAfter(key, { path: "/v1/geo", headers: { Authorization: `Bearer ${key.key}` } })).to.equal(0);
    expect((await deployment().send({ ...keyed(key.key), method: "HEAD" })).status).to.equal(429);
  });

  it("refused requests don't count", async () => {
    const key = await deployment().issueKey({ plan: "tiny", origins: ["https://app.example.com"] });
    expect(await remainingAfter(key)).to.equal(4);
    const { key: text } = key;
    for (const [status, sent] of [
      [403, { ...keyed(text), headers: { Origin: "https://evil.test" } }],
      [404, { path: `/nowhere?key=${text}` }],
      [404, { ...keyed(text), method: "POST" }],
      [204, { ...keyed(text), method: "OPTIONS" }],
      [401, { path: `/v1/geo?key=${text}&key=${text}` }],
    ] as const)
      expect((await deployment().send(sent)).status).to.equal(status);
    expect(await remainingAfter(key)).to.equal(3);
  });

  it("a key over its quota doesn't fall back to the free tier", async () => {
    const key = await deployment().issueKey({ plan: "closed" });
    for (const sent of [keyed(key.key), { headers: { "X-API-Key": key.key } }]) {
      const refused = await deployment().send(sent);
      expectError(refused, "quota_exceeded", deployment());
      expect(limitHeaders(refused)).to.deep.equal({ limit: 0, remaining: 0, reset: nextMonth() });
    }
  });

  it("each key has its own count, which a change of plan keeps", async () => {
    const [first, second] = await Promise.all([
      deployment().issueKey({ plan: "tiny" }),
      deployment().issueKey({ plan: "tiny" }),
    ]);
    for (const remaining of [4, 3, 2]) expect(await remainingAfter(first)).to.equal(remaining);
    expect(await remainingAfter(second)).to.equal(4);
    await deployment().keys("set-plan", first.keyId, "hundred");
    await waitFor(
      "the new plan's limit",
      async () => limitHeaders(await deployment().send({ ...keyed(first.key), method: "HEAD" })).limit === 100,
      5_000,
    );
    // 3 before the change and at least one that saw it.
    expect(await remainingAfter(first)).to.be.below(97);
  });

  it("operators see the count", async () => {
    const key = await deployment().issueKey({ plan: "hundred" });
    await Promise.all(Array.from({ length: 17 }, () => deployment().send(keyed(key.key))));
    await deployment().send({ path: `/nowhere?key=${key.key}` });
    const usage = await waitFor(
      "17 counted requests",
      async () => {
        const usage = await deployment().keys("usage", key.keyId);
        return usage.total === 17 && usage;
      },
      10_000,
    );
    expect(usage).to.include({ keyId: key.keyId, month: new Date().toISOString().slice(0, 7) });
  });
});
