import { expect } from "chai";
import { publishingOf } from "./publishing.ts";

describe("what a gateway publishes", () => {
  for (const [what, keyedPerSecond, keys, messagesPerSecond, countsPerSecond, flushSeconds] of [
    ["nothing without requests", 0, 100, 0, 0, 1],
    ["nothing without keys", 100, 0, 0, 0, 1],
    ["one message per second for one busy key", 1_000, 1, 1, 1, 1],
    ["each shard once a second, with all of its keys", 10_000, 6_400, 64, 6_400, 1],
    // docs/decisions/quotas-across-gateways.md: 5 s at 100,000 keys.
    ["20,000 counts per second at most: 12 shards of 1,562 keys", 20_000, 100_000, 12, 18_750, 64 / 12],
    ["one shard per second if it has more keys than that", 50_000, 2_000_000, 1, 31_250, 64],
  ] as const)
    it(what, () => {
      const published = publishingOf(keyedPerSecond, keys);
      expect(published.messagesPerSecond).to.be.closeTo(messagesPerSecond, 0.001 + messagesPerSecond / 100);
      expect(published.countsPerSecond).to.be.closeTo(countsPerSecond, 0.001 + countsPerSecond / 100);
      expect(published.flushSeconds).to.be.closeTo(flushSeconds, 0.01);
    });

  it("publishes a rare key when it is used", () => {
    const { messagesPerSecond, grownPerSecond } = publishingOf(0.01, 1);
    expect(messagesPerSecond).to.be.closeTo(0.01, 0.0001);
    expect(grownPerSecond).to.be.closeTo(0.01, 0.0001);
  });

  it("reaches NATS's 1 MB per message at about 2 million keys", () => {
    // docs/decisions/quotas-across-gateways.md: 1.9 million keys per day and gateway.
    expect(publishingOf(1e6, 1_900_000).bytesPerMessage).to.be.within(0.6e6, 2 ** 20);
    expect(publishingOf(1e6, 4_000_000).bytesPerMessage).to.be.above(2 ** 20);
  });

  it("counts a key as grown at most once per flush", () => {
    expect(publishingOf(1e6, 1_000).grownPerSecond).to.be.closeTo(1_000, 0.01);
    expect(publishingOf(10, 1_000_000).grownPerSecond).to.be.closeTo(10, 0.1);
  });
});
