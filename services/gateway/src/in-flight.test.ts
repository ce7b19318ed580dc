import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { type Exchange, openExchange } from "./exchange.ts";
import { createInFlight } from "./in-flight.ts";

const GARBAGE_PROCESS = fileURLToPath(new URL("testing/in-flight-garbage.ts", import.meta.url));
/** Of 400 MB that go through; a `Set` leaves 60 MB. */
const MOST_LEFT_BYTES = 5_000_000;

describe("createInFlight", () => {
  const ends: readonly (readonly [name: string, order: readonly number[]])[] = [
    ["in the order of their coming", [0, 1, 2, 3]],
    ["in the opposite order", [3, 2, 1, 0]],
    ["one from the middle first", [1, 3, 0, 2]],
    ["the first, then the last", [0, 3, 1, 2]],
  ];
  for (const [name, order] of ends)
    it(`holds those that have not ended: ${name}`, () => {
      const inFlight = createInFlight();
      const exchanges = Array.from({ length: 4 }, () => openExchange({} as Exchange["req"], {} as Exchange["res"]));
      const left = new Set(exchanges);
      for (const exchange of exchanges) inFlight.add(exchange);
      for (const index of order) {
        const exchange = exchanges[index] as Exchange;
        inFlight.delete(exchange);
        left.delete(exchange);
        expect(inFlight.all()).to.have.members([...left]);
        expect(inFlight.size()).to.equal(left.size);
      }
      inFlight.add(exchanges[0] as Exchange);
      expect(inFlight.all()).to.deep.equal([exchanges[0]]);
    });

  it("leaves nothing behind that a collection of new objects would have to keep", () => {
    const { stdout } = spawnSync(process.execPath, ["--expose-gc", GARBAGE_PROCESS], { encoding: "utf8" });
    expect(stdout).to.match(/^-?\d+$/);
    expect(Number(stdout)).to.be.below(MOST_LEFT_BYTES);
  });
});
