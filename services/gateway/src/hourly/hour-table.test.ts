import { randomBytes } from "node:crypto";
import { expect } from "chai";
import { NAME_LENGTH } from "./caller.ts";
import { HourTable, Shard } from "./hour-table.ts";
import { type HourWindow, NO_PEERS } from "./window.ts";

const newName = () => randomBytes(NAME_LENGTH).toString("base64url").slice(0, NAME_LENGTH);
const hour = (own: number, peers = NO_PEERS): HourWindow => ({ endMs: Date.UTC(2026, 0, 1) + own, own, peers });

describe("HourTable", () => {
  it("returns what was stored last for each of many names, and nothing for others", () => {
    const table = new HourTable();
    const stored = new Map<string, HourWindow>();
    for (let own = 0; own < 20_000; own += 1) {
      const name = newName();
      // The largest limit.
      for (const window of [hour(1), hour(1_000_000_000 - own)]) {
        table.set(name, window);
        stored.set(name, window);
      }
    }
    expect(table.size).to.equal(stored.size);
    for (const [name, { own, endMs }] of stored) expect(table.get(name)).to.include({ own, endMs });
    const names = [...stored.keys()];
    expect(names.filter((name) => !table.has(name))).to.deep.equal([]);
    const ends = new Map(table.ends());
    expect(ends.size).to.equal(stored.size);
    expect(names.filter((name) => ends.get(name) !== stored.get(name)?.endMs)).to.deep.equal([]);
    for (let count = 0; count < 20_000; count += 1) {
      const unknown = newName();
      expect([table.has(unknown), table.get(unknown)]).to.deep.equal([false, undefined]);
    }
  });

  it("looks at few slots per search, however many callers there are", () => {
    const table = new HourTable();
    const names = Array.from({ length: 50_000 }, newName);
    for (const name of names) table.set(name, hour(1));
    const { isFree } = Shard.prototype;
    let looks = 0;
    Shard.prototype.isFree = function (slot) {
      looks += 1;
      return isFree.call(this, slot);
    };
    try {
      for (const name of names) table.has(name);
      for (const _ of names) table.has(newName());
    } finally {
      Shard.prototype.isFree = isFree;
    }
    // With half of the slots in use at most, one or two on average, and one for the result.
    expect(looks / (2 * names.length)).to.be.below(3.5);
  });

  it("distinguishes names that differ in a single character", () => {
    const table = new HourTable();
    const name = "A".repeat(NAME_LENGTH);
    const names = [
      name,
      ...[..."Bz9-_"].flatMap((other) => Array.from(name, (_, at) => name.slice(0, at) + other + name.slice(at + 1))),
    ];
    for (const [own, one] of names.entries()) table.set(one, hour(own));
    for (const [own, one] of names.entries()) expect(table.get(one)?.own, one).to.equal(own);
    expect(Array.from(table.ends(), ([one]) => one)).to.have.members(names);
  });

  it("keeps peers, with callers that have none before and after", () => {
    const table = new HourTable();
    const names = Array.from({ length: 5_000 }, newName);
    const peersOf = (index: number) => (index % 3 === 1 ? new Map([["other", index]]) : NO_PEERS);
    for (const [index, name] of names.entries()) table.set(name, hour(index, peersOf(index)));
    for (const [index, name] of names.entries()) expect(table.get(name)?.peers, name).to.deep.equal(peersOf(index));
    table.set(names[1] as string, hour(1));
    expect(table.get(names[1] as string)?.peers).to.equal(NO_PEERS);
  });

  it("stores and returns copies", () => {
    const table = new HourTable();
    const [name, window] = [newName(), hour(1)];
    table.set(name, window);
    window.own = 2;
    const copy = table.get(name);
    if (copy) copy.own = 3;
    expect(table.get(name)?.own).to.equal(1);
  });
});
