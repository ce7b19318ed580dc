import { expect } from "chai";
import { createHeardKeys } from "./heard-keys.ts";

describe("createHeardKeys", () => {
  it("knows the last event of each key, and where it began for the others", () => {
    const heard = createHeardKeys();
    heard.restart(5);
    heard.event("a", 6, false);
    heard.event("b", 7, false);
    heard.event("a", 8, false);
    heard.event("a", 6, false);
    expect(["a", "b", "c"].map(heard.lastOf)).to.deep.equal([8, 7, 5]);
  });
  it("takes a key that it forgot for one whose last event may be as late as that of any forgotten", () => {
    const heard = createHeardKeys({ maxRecent: 2, maxRevoked: 2 });
    for (const [index, key] of ["a", "b", "c", "d"].entries()) heard.event(key, index + 1, false);
    expect(["a", "b", "c", "d", "never"].map(heard.lastOf)).to.deep.equal([2, 2, 3, 4, 2]);
  });
  it("remembers revocations beyond other events, and nothing across logs", () => {
    const heard = createHeardKeys({ maxRecent: 2, maxRevoked: 2 });
    heard.event("a", 1, true);
    for (const [index, key] of ["b", "c", "d"].entries()) heard.event(key, index + 2, false);
    expect(["a", "b"].map(heard.isRevoked)).to.deep.equal([true, false]);
    heard.restart(0);
    expect([heard.isRevoked("a"), heard.lastOf("d")]).to.deep.equal([false, 0]);
  });
});
