import { expect } from "chai";
import { freshIpv4, freshIpv6Prefix } from "../harness/addresses.ts";
import { itCounts } from "../harness/counting.ts";
import type { IssuedKey } from "../harness/deployment.ts";
import { expectError, expectRecord, limitHeaders } from "../harness/expect-response.ts";
import type { HttpResponse } from "../harness/http.ts";
import { keyed } from "../harness/slots.ts";
import { onEveryDeployment } from "../harness/suite.ts";
import { waitFor } from "../harness/wait-for.ts";

/** As in test/fixtures/plans.ts. */
const MONTHLY = 100_000;
const PER_CALLER = 20;
const KNOWN_WITHIN_MS = 5_000;
const PACED = { perSecond: 5, burst: 10 };

const nowUnixSeconds = () => Date.now() / 1000;

onEveryDeployment("a plan's limits per caller and per second", (deployment) => {
  /** Sends that many requests with a key at once. */
  const burst = (key: IssuedKey, count: number, address: (index: number) => string) =>
    Promise.all(
      Array.from({ length: count }, (_, index) => deployment().send({ ...keyed(key.key), from: address(index) })),
    );
  const withStatus = (responses: readonly HttpResponse[], status: number) =>
    responses.filter((one) => one.status === status);
  const count = (responses: readonly HttpResponse[]) => ({
    served: withStatus(responses, 200).length,
    refused: withStatus(responses, 429).length,
  });

  itCounts(
    "perCallerHourly: of 200 concurrent requests from one caller exactly 20 succeed, the rest get 429 rate_limited",
    deployment,
    async () => {
      const key = await deployment().issueKey({ kind: "publishable", plan: "widget" });
      const from = freshIpv4();
      const opened = nowUnixSeconds();
      const responses = await burst(key, 200, () => from);
      expect(count(responses)).to.deep.equal({ served: PER_CALLER, refused: 180 });
      for (const response of withStatus(responses, 200)) {
        expectRecord(response);
        // As always with a key: the month's.
        expect(limitHeaders(response).limit).to.equal(MONTHLY);
      }
      const left = withStatus(responses, 200).map((response) => limitHeaders(response).remaining);
      expect(Math.min(...left), "no more of the month than was served").to.be.at.least(MONTHLY - 200);
      for (const refused of withStatus(responses, 429)) {
        const message = expectError(refused, "rate_limited", deployment());
        expect(message).to.include(key.display).and.include("20 requests per hour").and.include("`widget`");
        expect(message).to.not.include(from);
        const { limit, remaining, reset } = limitHeaders(refused);
        expect({ limit, remaining }).to.deep.equal({ limit: PER_CALLER, remaining: 0 });
        expect(reset).to.be.within(Math.floor(opened) + 3_600, Math.ceil(nowUnixSeconds()) + 3_600);
        expect(Number(refused.headers["retry-after"])).to.be.within(reset - Math.ceil(nowUnixSeconds()) - 1, 3_600);
      }
      const elsewhere = await deployment().send(keyed(key.key));
      expect(limitHeaders(elsewhere).remaining, "refused requests cost nothing").to.equal(MONTHLY - PER_CALLER - 1);
    },
  );

  itCounts(
    "each caller of a key, and each key of a caller, has its own hour; so does a caller without a key",
    deployment,
    async () => {
      const [key, other] = await Promise.all([
        deployment().issueKey({ plan: "widget" }),
        deployment().issueKey({ plan: "widget" }),
      ]);
      const callers = [freshIpv4(), freshIpv4()];
      const twoCallers = await burst(key, 60, (index) => callers[index % 2] ?? "");
      expect(count(twoCallers)).to.deep.equal({ served: 2 * PER_CALLER, refused: 60 - 2 * PER_CALLER });
      const [from = ""] = callers;
      expect(count(await burst(other, 30, () => from))).to.deep.equal({ served: PER_CALLER, refused: 10 });
      expect(limitHeaders(await deployment().send({ from }))).to.include({ limit: 60, remaining: 59 });
      const unlimited = await deployment().sharedKey({ plan: "paid" });
      expect(count(await burst(unlimited, 70, () => from))).to.deep.equal({ served: 70, refused: 0 });
    },
  );

  itCounts("the callers of a key are counted by IPv6 /64", deployment, async () => {
    const key = await deployment().issueKey({ plan: "widget" });
    const prefix = freshIpv6Prefix();
    const responses = await burst(key, 30, (index) => `${prefix}::${(index + 1).toString(16)}`);
    expect(count(responses)).to.deep.equal({ served: PER_CALLER, refused: 10 });
    const { status } = await deployment().send({ ...keyed(key.key), from: `${freshIpv6Prefix()}::1` });
    expect(status).to.equal(200);
  });

  itCounts(
    "HEAD counts and is refused too, however the key is sent; requests refused for other reasons don't count",
    deployment,
    async () => {
      const key = await deployment().issueKey({ plan: "widget", origins: ["https://app.example.com"] });
      const { key: text } = key;
      const from = freshIpv4();
      const origin = { Origin: "https://app.example.com" };
      for (let turn = 0; turn < 5; turn += 1)
        for (const sent of [
          { ...keyed(text), method: "HEAD", headers: origin },
          { path: "/", headers: { ...origin, "X-API-Key": text } },
          { headers: { ...origin, Authorization: `Bearer ${text}` } },
          { path: `/?key=${text}&fields=country`, headers: origin },
          // Not counted:
          { ...keyed(text), headers: { Origin: "https://evil.test" } },
          { path: `/nowhere?key=${text}`, headers: origin },
          { ...keyed(text), method: "POST", headers: origin },
        ])
          expect((await deployment().send({ ...sent, from })).status).to.be.oneOf([200, 403, 404]);
      for (const method of ["GET", "HEAD"]) {
        const refused = await deployment().send({ ...keyed(text), from, method, headers: origin });
        expect([refused.status, limitHeaders(refused).limit]).to.deep.equal([429, PER_CALLER]);
      }
      const refused = await deployment().send({ ...keyed(text), from, headers: { Origin: "https://evil.test" } });
      expect(refused.status, "the origin comes before the limits").to.equal(403);
    },
  );

  it("perSecond: at most burst + rate × elapsed succeed, the rest get 429 rate_limited, until the reset", async () => {
    const key = await deployment().issueKey({ kind: "publishable", plan: "paced" });
    const startMs = performance.now();
    const responses = await burst(key, 100, freshIpv4);
    const allowed = PACED.burst + ((performance.now() - startMs) * PACED.perSecond) / 1000;
    const { served, refused } = count(responses);
    expect(served).to.be.within(PACED.burst, Math.floor(allowed));
    expect(refused).to.equal(100 - served);
    for (const response of withStatus(responses, 200)) expect(limitHeaders(response).limit).to.equal(MONTHLY);
    for (const response of withStatus(responses, 429)) {
      const message = expectError(response, "rate_limited", deployment());
      expect(message)
        .to.include(key.display)
        .and.include("5 requests per second (bursts of 10)")
        .and.include("`paced`");
      expect(limitHeaders(response)).to.include({ limit: PACED.perSecond, remaining: 0 });
      expect(response.headers["retry-after"]).to.equal("1");
    }
    const { reset } = limitHeaders(withStatus(responses, 429).at(-1) as HttpResponse);
    expect(reset * 1000 - Date.now()).to.be.below(1_200);
    await waitFor("the reset", () => Date.now() >= reset * 1000, 2_000);
    expectRecord(await deployment().send(keyed(key.key)));
  });

  itCounts("with both limits, the response reports the one that was reached", deployment, async () => {
    const key = await deployment().issueKey({ plan: "both" });
    const from = freshIpv4();
    const codes: string[] = [];
    for (let index = 0; index < 20; index += 1) {
      const response = await deployment().send({ ...keyed(key.key), from });
      codes.push(response.status === 200 ? "ok" : String(limitHeaders(response).limit));
    }
    expect(codes).to.deep.equal([...new Array(12).fill("ok"), ...new Array(8).fill("12")]);
    const startMs = performance.now();
    const many = await burst(key, 200, freshIpv4);
    const limits = new Set(withStatus(many, 429).map((response) => limitHeaders(response).limit));
    expect([...limits]).to.deep.equal([PACED.perSecond]);
    // 12 of 30 were taken; requests that the hour refused took none.
    const filled = ((performance.now() - startMs) * PACED.perSecond) / 1000;
    expect(count(many).served).to.be.within(18, 30 + Math.floor(filled));
  });

  it("key commands show the limits of a key's plan", async () => {
    const key = await deployment().issueKey({ plan: "both" });
    const limits = { perCallerHourly: 12, perSecond: 5, burst: 30 };
    expect(key).to.deep.include({ limits });
    // One auth node may learn of a key a moment after the other has issued it.
    const shown = await waitFor("keys show", () => deployment().keys("show", key.keyId), KNOWN_WITHIN_MS);
    expect(shown).to.deep.include({ limits });
    const list = () => deployment().keys("list", "--search", key.keyId);
    const listed = await waitFor("keys list", async () => (await list())[0], KNOWN_WITHIN_MS);
    expect(listed).to.deep.include({ keyId: key.keyId, limits });
    expect(await deployment().keys("set-plan", key.keyId, "paid")).to.not.have.property("limits");
  });

  it("a changed plan's limits apply to the next requests", async () => {
    const key = await deployment().issueKey({ plan: "paid" });
    const from = freshIpv4();
    expect(count(await burst(key, 30, () => from))).to.deep.equal({ served: 30, refused: 0 });
    await deployment().keys("set-plan", key.keyId, "widget");
    const isLimited = async () => (await deployment().send({ ...keyed(key.key), from })).status === 429;
    await waitFor("the plan's limit", isLimited, 10_000);
    await deployment().keys("set-plan", key.keyId, "paid");
    await waitFor("the limit's end", async () => !(await isLimited()), 10_000);
  });
});
