import { expect } from "chai";
import { createSemaphore, type Holder } from "./semaphore.ts";

describe("semaphore", () => {
  let log: string[];
  const holder = (name: string, yields = false): Holder => ({
    yields,
    onAcquired: () => log.push(`${name} in`),
    onRefused: () => log.push(`${name} refused`),
  });
  beforeEach(() => {
    log = [];
  });

  it("grants permits up to the limit, then in order as they are released, and refuses when the queue is full", () => {
    const semaphore = createSemaphore({ limit: 2, maxWaiting: 2 });
    const [a, b, c, d, e] = ["a", "b", "c", "d", "e"].map((name) => holder(name)) as [
      Holder,
      Holder,
      Holder,
      Holder,
      Holder,
    ];
    for (const each of [a, b, c, d, e]) semaphore.acquire(each);
    expect(log).to.deep.equal(["a in", "b in", "e refused"]);
    expect(semaphore.inUse()).to.equal(2);
    semaphore.release(b);
    semaphore.release(b);
    expect(log.slice(3)).to.deep.equal(["c in"]);
    semaphore.release(a);
    semaphore.release(c);
    semaphore.release(d);
    expect(log.slice(4)).to.deep.equal(["d in"]);
    expect(semaphore.inUse()).to.equal(0);
  });

  it("doesn't grant a permit to a holder that stopped waiting", () => {
    const semaphore = createSemaphore({ limit: 1, maxWaiting: 2 });
    const [a, b, c] = [holder("a"), holder("b"), holder("c")];
    for (const each of [a, b, c]) semaphore.acquire(each);
    semaphore.release(b);
    semaphore.release(a);
    expect(log).to.deep.equal(["a in", "c in"]);
  });

  it("serves yielding holders last, and refuses them first when the queue is full", () => {
    const semaphore = createSemaphore({ limit: 1, maxWaiting: 2 });
    const [first, y1, y2, y3, good] = [
      holder("first"),
      holder("y1", true),
      holder("y2", true),
      holder("y3", true),
      holder("good"),
    ];
    for (const each of [first, y1, y2, y3, good]) semaphore.acquire(each);
    expect(log).to.deep.equal(["first in", "y3 refused", "y1 refused"]);
    semaphore.release(first);
    semaphore.release(good);
    expect(log.slice(3)).to.deep.equal(["good in", "y2 in"]);
  });
});
