import { expect } from "chai";
import { createPlaces, type Visit } from "./places.ts";

describe("places", () => {
  let log: string[];
  const visit = (name: string, yields = false): Visit => ({
    yields,
    onAdmitted: () => log.push(`${name} in`),
    onRefused: () => log.push(`${name} refused`),
  });
  beforeEach(() => {
    log = [];
  });

  it("admit up to the limit, then in order as places become free, and refuse visits when the queue is full", () => {
    const places = createPlaces({ limit: 2, maxWaiting: 2 });
    const [a, b, c, d, e] = ["a", "b", "c", "d", "e"].map((name) => visit(name)) as [Visit, Visit, Visit, Visit, Visit];
    for (const each of [a, b, c, d, e]) places.enter(each);
    expect(log).to.deep.equal(["a in", "b in", "e refused"]);
    expect(places.inUse()).to.equal(2);
    places.leave(b);
    places.leave(b);
    expect(log.slice(3)).to.deep.equal(["c in"]);
    places.leave(a);
    places.leave(c);
    places.leave(d);
    expect(log.slice(4)).to.deep.equal(["d in"]);
    expect(places.inUse()).to.equal(0);
  });

  it("don't go to a visit that left while it waited", () => {
    const places = createPlaces({ limit: 1, maxWaiting: 2 });
    const [a, b, c] = [visit("a"), visit("b"), visit("c")];
    for (const each of [a, b, c]) places.enter(each);
    places.leave(b);
    places.leave(a);
    expect(log).to.deep.equal(["a in", "c in"]);
  });

  it("go to yielding visits last, and a full queue refuses those first", () => {
    const places = createPlaces({ limit: 1, maxWaiting: 2 });
    const [first, y1, y2, y3, good] = [
      visit("first"),
      visit("y1", true),
      visit("y2", true),
      visit("y3", true),
      visit("good"),
    ];
    for (const each of [first, y1, y2, y3, good]) places.enter(each);
    expect(log).to.deep.equal(["first in", "y3 refused", "y1 refused"]);
    places.leave(first);
    places.leave(good);
    expect(log.slice(3)).to.deep.equal(["good in", "y2 in"]);
  });
});
