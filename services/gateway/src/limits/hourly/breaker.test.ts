import { expect } from "chai";
import { type Breaker, createBreaker } from "./breaker.ts";

describe("createBreaker", () => {
  let breaker: Breaker;
  let seen: string[];
  beforeEach(() => {
    seen = [];
    breaker = createBreaker({ onOpen: (reason) => seen.push(`open: ${reason}`), onClose: () => seen.push("closed") });
  });

  it("is open at first, and closes after the first success", () => {
    expect(breaker.isOpen()).to.equal(true);
    breaker.succeeded();
    breaker.succeeded();
    expect(breaker.isOpen()).to.equal(false);
    expect(seen).to.deep.equal(["closed"]);
  });
  it("opens after three consecutive failures", () => {
    breaker.succeeded();
    for (let index = 0; index < 2; index += 1) breaker.failed("slow");
    breaker.succeeded();
    for (let index = 0; index < 2; index += 1) breaker.failed("slow");
    expect(breaker.isOpen()).to.equal(false);
    breaker.failed("slow");
    expect(breaker.isOpen()).to.equal(true);
    expect(seen).to.deep.equal(["closed", "open: slow"]);
  });
  it("opens immediately when tripped", () => {
    breaker.succeeded();
    breaker.trip("gone");
    expect(breaker.isOpen()).to.equal(true);
  });
  it("reports each reason once while it is open, and again the next time", () => {
    for (const reason of ["gone", "gone", "refused", "gone"]) breaker.trip(reason);
    breaker.succeeded();
    breaker.trip("gone");
    expect(seen).to.deep.equal(["open: gone", "open: refused", "closed", "open: gone"]);
  });
});
