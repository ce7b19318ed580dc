import type { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { expect } from "chai";
import { pino } from "pino";
import { createPosition, followUsage } from "./usage.ts";

const LONG_MS = 10_000_000;
const NOTHING: AsyncDisposable = { [Symbol.asyncDispose]: async () => {} };

describe("createPosition", () => {
  it("waits until a position is reached", async () => {
    const position = createPosition();
    const reached: number[] = [];
    const all = [5, 3, 7].map((at) => position.reached(at, LONG_MS).then(() => reached.push(at)));
    position.reach(2);
    await Promise.resolve();
    expect(reached).to.deep.equal([]);
    position.reach(5);
    await Promise.all(all.slice(0, 2));
    expect(reached).to.have.members([5, 3]);
    position.reach(8);
    await Promise.all(all);
    expect(position.current()).to.equal(8);
  });

  it("doesn't wait for a position that was already reached", async () => {
    const position = createPosition();
    position.reach(4);
    await position.reached(4, LONG_MS);
    await position.reached(0, LONG_MS);
  });

  it("waits no longer than its timeout", () => createPosition().reached(1, 1));
});

describe("followUsage", () => {
  it("responds to nothing until it has read its log", async () => {
    const { promise: hasRead, resolve: finishReading } = Promise.withResolvers<AsyncDisposable>();
    await using usage = followUsage({
      usageLog: { follow: () => hasRead, ...NOTHING },
      monthLog: null,
      log: pino({ level: "silent" }),
    });
    const requests = [
      () => usage.month("key1", "2026-05"),
      () => usage.shardMonth(0, "2026-05"),
      () => usage.usedKeys(0, null, 1),
      () => usage.summary("2026-05", 1),
      () => usage.totals(["key1"], "2026-05", "boot1", 0),
      () => usage.changes([], "boot1"),
    ];
    for (const request of requests) {
      const code = await (async () => request())().then(
        () => "none",
        (error: ServiceError) => error.code,
      );
      expect(code, String(request)).to.equal("unavailable");
    }
    finishReading(NOTHING);
    await usage.caughtUp;
    for (const request of requests) await request();
  });
});
