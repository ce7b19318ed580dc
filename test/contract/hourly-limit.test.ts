import { expect } from "chai";
import { freshIpv4, freshIpv6Prefix } from "../harness/addresses.ts";
import { itCounts } from "../harness/counting.ts";
import { expectError, expectRecord, limitHeaders } from "../harness/expect-response.ts";
import { keyed } from "../harness/slots.ts";
import { onEveryDeployment } from "../harness/suite.ts";

const LIMIT = 60;
const nowUnixSeconds = () => Date.now() / 1000;

onEveryDeployment("contract 5.2 and 8: the hourly limit without a key", (deployment) => {
  /** Sends that many keyless requests at once. @returns the number of responses by status. */
  const burst = async (count: number, address: (index: number) => string) => {
    const responses = await Promise.all(
      Array.from({ length: count }, (_, index) => deployment().send({ from: address(index) })),
    );
    const statuses: Record<number, number> = {};
    for (const { status } of responses) statuses[status] = (statuses[status] ?? 0) + 1;
    return { responses, statuses };
  };

  itCounts("60 requests per hour per IP, a hard limit: of 100 at once exactly 60 succeed", deployment, async () => {
    const from = freshIpv4();
    const { responses, statuses } = await burst(100, () => from);
    expect(statuses).to.deep.equal({ 200: LIMIT, 429: 40 });
    const remaining = responses
      .filter(({ status }) => status === 200)
      .map((response) => limitHeaders(response).remaining);
    expect(remaining.sort((a, b) => a - b)).to.deep.equal(Array.from({ length: LIMIT }, (_, index) => index));
    const [refused] = responses.filter(({ status }) => status === 429);
    if (!refused) throw new Error("nothing was refused");
    expectError(refused, "rate_limited", deployment());
    expect(new Set(responses.map((response) => limitHeaders(response).reset)).size, "one window, one reset").to.equal(
      1,
    );
  });

  itCounts("exceeding gives 429 rate_limited, with X-RateLimit-* and Retry-After", deployment, async () => {
    const from = freshIpv4();
    const opened = nowUnixSeconds();
    const { responses } = await burst(LIMIT, () => from);
    for (const response of responses) expectRecord(response);
    const refused = await deployment().send({ from });
    const message = expectError(refused, "rate_limited", deployment());
    expect(message).to.include("60").and.to.match(/key/i);
    const { limit, remaining, reset } = limitHeaders(refused);
    expect({ limit, remaining }).to.deep.equal({ limit: LIMIT, remaining: 0 });
    // The window opens at the first request and lasts an hour; 2 s for the clock's edges.
    expect(reset).to.be.within(Math.floor(opened) + 3600, Math.ceil(nowUnixSeconds()) + 3600);
    expect(String(refused.headers["retry-after"])).to.match(/^\d+$/);
    // Whole seconds, rounded up: at most one more than the hour.
    expect(Number(refused.headers["retry-after"])).to.be.within(reset - Math.ceil(nowUnixSeconds()) - 1, 3601);
    expect(refused.headers).to.not.have.property("x-geolookup-notice");
    const withoutBearer = await deployment().send({ from, headers: { Authorization: "geo_sk_ignored" } });
    expectError(withoutBearer, "rate_limited", deployment());
    expect(withoutBearer.headers["x-geolookup-notice"]).to.include('must follow the word "Bearer"');
    for (const [method, path] of [
      ["HEAD", "/v1/geo"],
      ["GET", "/"],
      ["GET", "/?fields=country"],
    ] as const)
      expect((await deployment().send({ from, method, path })).status, `${method} ${path}`).to.equal(429);
  });

  itCounts(
    "X-RateLimit-* are on every 200 and count down; the window opens at the first request",
    deployment,
    async () => {
      const from = freshIpv4();
      const first = limitHeaders(await deployment().send({ from }));
      const second = limitHeaders(await deployment().send({ from, method: "HEAD" }));
      const third = limitHeaders(await deployment().send({ from }));
      expect([first, second, third].map(({ remaining }) => remaining)).to.deep.equal([59, 58, 57]);
      expect(first.limit).to.equal(LIMIT);
      expect(first.reset).to.be.within(nowUnixSeconds() + 3590, nowUnixSeconds() + 3602);
      expect([second.reset, third.reset]).to.deep.equal([first.reset, first.reset]);
    },
  );

  itCounts("each IP has its own limit", deployment, async () => {
    const { statuses } = await burst(100, () => freshIpv4());
    expect(statuses).to.deep.equal({ 200: 100 });
  });

  itCounts("IPv6 counts per /64", deployment, async () => {
    const prefix = freshIpv6Prefix();
    const { statuses } = await burst(70, (index) => `${prefix}::${(index + 1).toString(16)}`);
    expect(statuses).to.deep.equal({ 200: LIMIT, 429: 10 });
    expect((await deployment().send({ from: `${prefix}:ffff:ffff:ffff:ffff` })).status).to.equal(429);
    expect((await deployment().send({ from: `${freshIpv6Prefix()}::1` })).status).to.equal(200);
  });

  itCounts("IPv4-mapped addresses count as IPv4", deployment, async () => {
    const from = freshIpv4();
    const notations = [from, `::ffff:${from}`, `[::ffff:${from}]:443`, `${from}:8080`];
    const remaining: number[] = [];
    for (const notation of notations)
      remaining.push(limitHeaders(await deployment().send({ from: notation })).remaining);
    expect(remaining).to.deep.equal([59, 58, 57, 56]);
  });

  itCounts("requests with a key aren't limited by it, and don't count toward it", deployment, async () => {
    const from = freshIpv4();
    const { key } = await deployment().sharedKey();
    for (let count = 0; count < 3; count += 1) expectRecord(await deployment().send({ ...keyed(key), from }));
    expect(limitHeaders(await deployment().send({ from })).remaining).to.equal(59);
    await burst(LIMIT, () => from);
    expect((await deployment().send({ from })).status).to.equal(429);
    expectRecord(await deployment().send({ ...keyed(key), from }));
  });

  itCounts("refused requests and preflights don't count", deployment, async () => {
    const from = freshIpv4();
    expect(limitHeaders(await deployment().send({ from })).remaining).to.equal(59);
    for (const refused of [
      { path: "/nowhere" },
      { path: "/v1/geo/" },
      { path: "/v1/geo?key=" },
      { path: "/v1/geo?key=nonsense" },
      { method: "POST" },
      { method: "OPTIONS" },
    ])
      await deployment().send({ ...refused, from });
    expect(limitHeaders(await deployment().send({ from })).remaining).to.equal(58);
  });
});
