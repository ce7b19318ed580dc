import { randomBytes } from "node:crypto";
import { expect } from "chai";
import { NAME_LENGTH } from "../caller.ts";
import { SLOT_BYTES, slotsOfLength } from "../hour-slots.ts";
import { NO_PEERS } from "../window.ts";
import { HourLog, parseHours } from "./hour-log.ts";

const END_MS = Date.UTC(2026, 0, 1, 12, 0, 0, 789);
const newName = () => randomBytes(NAME_LENGTH).toString("base64url").slice(0, NAME_LENGTH);

describe("HourLog", () => {
  it("returns all hours in order, once", () => {
    const log = new HourLog();
    const added = Array.from({ length: 2_000 }, (_, index) => ({
      caller: newName(),
      // The last one is the largest limit.
      count: index === 1_999 ? 1_000_000_000 : index + 1,
      endMs: END_MS + index,
    }));
    for (const { caller, count, endMs } of added)
      log.add(caller, { own: count, endMs, peers: new Map([["other", 7]]) });
    expect(log.isEmpty).to.equal(false);
    expect(parseHours("holder", log.take())).to.deep.equal(
      added.map(({ caller, count, endMs }) => [caller, { own: 0, endMs, peers: new Map([["holder", count]]) }]),
    );
    expect(log.isEmpty).to.equal(true);
    expect(log.take()).to.have.length(0);
  });

  it("takes several hours at once", () => {
    const [log, others] = [new HourLog(), slotsOfLength(1_000)];
    const names = Array.from({ length: 1_001 }, newName);
    log.add(names[1_000] as string, { own: 1, endMs: END_MS, peers: NO_PEERS });
    for (let slot = 0; slot < others.length; slot += 1) {
      others.setName(slot, names[slot] as string);
      others.setHour(slot, slot, END_MS);
    }
    log.addAll(others, 999);
    expect(parseHours("holder", log.take()).map(([caller]) => caller)).to.deep.equal([
      names[1_000],
      ...names.slice(0, 999),
    ]);
  });

  it("returns a copy, which later hours don't change", () => {
    const log = new HourLog();
    const [first, second] = [newName(), newName()];
    log.add(first, { own: 1, endMs: END_MS, peers: NO_PEERS });
    const taken = log.take();
    log.add(second, { own: 2, endMs: END_MS, peers: NO_PEERS });
    expect(parseHours("holder", taken).map(([caller]) => caller)).to.deep.equal([first]);
  });
});

describe("parseHours", () => {
  it("ignores what isn't a whole hour", () => {
    const log = new HourLog();
    log.add(newName(), { own: 1, endMs: END_MS, peers: NO_PEERS });
    log.add(newName(), { own: 1, endMs: END_MS, peers: NO_PEERS });
    const bytes = log.take();
    expect(parseHours("holder", bytes.subarray(0, 2 * SLOT_BYTES - 1))).to.have.length(1);
    expect(parseHours("holder", Buffer.alloc(0))).to.have.length(0);
    bytes.write("not a name", SLOT_BYTES);
    expect(parseHours("holder", bytes)).to.have.length(1);
    expect(parseHours("holder", randomBytes(SLOT_BYTES * 5)).length).to.be.below(5);
  });
});
