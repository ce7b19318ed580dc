import { expect } from "chai";
import { createKeyRates } from "./key-rates.ts";

const RATE = { perSecond: 10, burst: 20 };
const START_MS = Date.UTC(2026, 0, 1, 12, 0, 0, 250);

describe("createKeyRates", () => {
  let nowMs: number;
  beforeEach(() => {
    nowMs = START_MS;
  });
  const open = (maxKeys?: number) => createKeyRates({ clock: () => nowMs, ...(maxKeys && { maxKeys }) });

  /** Reserves until it is refused. */
  const exhaust = (rates: ReturnType<typeof open>, keyId: string, rate = RATE) => {
    for (let admitted = 0; ; admitted += 1) {
      const decision = rates.reserve(keyId, rate);
      if (!decision.admitted) return { admitted, resetUnixSeconds: decision.resetUnixSeconds };
      decision.take();
    }
  };

  it("gives each key its own bucket", () => {
    const rates = open();
    expect(exhaust(rates, "key_a").admitted).to.equal(20);
    expect(exhaust(rates, "key_a").admitted).to.equal(0);
    expect(exhaust(rates, "key_b").admitted).to.equal(20);
  });

  it("returns a reset at which a request is admitted", () => {
    const rates = open();
    for (const startMs of [START_MS, START_MS + 1_000.5, START_MS + 2_749, START_MS + 3_750]) {
      nowMs = startMs;
      const { resetUnixSeconds } = exhaust(rates, "key_a");
      expect(resetUnixSeconds * 1000 - nowMs).to.be.within(1, 1_100);
      nowMs = resetUnixSeconds * 1000;
      expect(rates.reserve("key_a", RATE).admitted).to.equal(true);
    }
  });

  it("costs a key nothing when what was reserved is released", () => {
    const rates = open();
    for (let index = 0; index < 1_000; index += 1) {
      const decision = rates.reserve("key_a", RATE);
      if (!decision.admitted) throw new Error(`refused at ${index}`);
      decision.release();
    }
    expect(exhaust(rates, "key_a").admitted).to.equal(20);
  });

  it("bounds its keys, and evicts the least recently used", () => {
    const rates = open(3);
    for (const keyId of ["key_a", "key_b", "key_c"]) exhaust(rates, keyId);
    expect(exhaust(rates, "key_a").admitted, "used again").to.equal(0);
    expect(exhaust(rates, "key_d").admitted).to.equal(20);
    expect(exhaust(rates, "key_a").admitted, "still known").to.equal(0);
    expect(exhaust(rates, "key_b").admitted, "forgotten").to.equal(20);
  });

  it("isn't confused by a key that is evicted during a request", () => {
    const rates = open(1);
    const underWay = rates.reserve("key_a", RATE);
    exhaust(rates, "key_b");
    if (!underWay.admitted) throw new Error("refused");
    underWay.take();
    expect(exhaust(rates, "key_a").admitted).to.equal(20);
  });
});
