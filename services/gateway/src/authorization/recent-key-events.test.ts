import { expect } from "chai";
import { createRecentKeyEvents } from "./recent-key-events.ts";

describe("createRecentKeyEvents", () => {
  it("knows the last event of each key, and the start for all others", () => {
    const recent = createRecentKeyEvents();
    recent.restart(5);
    recent.event("a", 6, false);
    recent.event("b", 7, false);
    recent.event("a", 8, false);
    recent.event("a", 6, false);
    expect(["a", "b", "c"].map(recent.lastOf)).to.deep.equal([8, 7, 5]);
  });
  it("keeps revocations longer than other events, and nothing across logs", () => {
    const recent = createRecentKeyEvents({ maxRecent: 2, maxRevoked: 2 });
    recent.event("a", 1, true);
    for (const [index, key] of ["b", "c", "d"].entries()) recent.event(key, index + 2, false);
    expect(["a", "b"].map(recent.isRevoked)).to.deep.equal([true, false]);
    recent.restart(0);
    expect([recent.isRevoked("a"), recent.lastOf("d")]).to.deep.equal([false, 0]);
  });
  it("never reports too low a sequence while dropping keys", () => {
    const limits = { maxRecent: 10, maxRevoked: 6 };
    const recent = createRecentKeyEvents(limits);
    const lastOf = new Map<string, number>();
    for (let sequence = 1; sequence <= 1_000; sequence += 1) {
      const key = `key ${(sequence * 7) % 23}`;
      recent.event(key, sequence, sequence % 3 === 0);
      lastOf.set(key, sequence);
      for (const [known, last] of lastOf) expect(recent.lastOf(known)).to.be.at.least(last).and.at.most(sequence);
      expect(recent.lastOf(key)).to.equal(sequence);
      expect(recent.isRevoked(key) || sequence % 3 !== 0).to.equal(true);
    }
    const held = Array.from(lastOf.keys()).filter(recent.isRevoked);
    expect(held).to.have.length.within(limits.maxRevoked / 2, limits.maxRevoked);
  });
  it("drops keys without walking over them", () => {
    const recent = createRecentKeyEvents({ maxRecent: 100, maxRevoked: 100 });
    const walks = walksDuring(() => {
      for (let sequence = 1; sequence <= 1_000; sequence += 1) recent.event(`key ${sequence}`, sequence, true);
    });
    expect(walks).to.equal(0);
  });
});

/** Counts iterations over any Map or Set with more than a few entries. */
function walksDuring(run: () => void): number {
  let walks = 0;
  const restores = [Map.prototype, Set.prototype].flatMap((collection: object) =>
    [Symbol.iterator, "entries", "keys", "values", "forEach"].map((name) => {
      const original = Object.getOwnPropertyDescriptor(collection, name) ?? {};
      Object.defineProperty(collection, name, {
        ...original,
        value(this: ReadonlySet<unknown>, ...args: unknown[]) {
          if (this.size > 10) walks += 1;
          return Reflect.apply(original.value, this, args);
        },
      });
      return () => Object.defineProperty(collection, name, original);
    }),
  );
  try {
    run();
  } finally {
    for (const restore of restores) restore();
  }
  return walks;
}
