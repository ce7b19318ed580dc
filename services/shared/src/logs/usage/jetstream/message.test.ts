import { expect } from "chai";
import {
  decodeUsageMessage,
  encodeUsageMessage,
  natsMonthSubject,
  natsSubject,
  nextPart,
  parseNatsMonthSubject,
  parseNatsSubject,
  wholeSubject,
} from "./message.ts";

describe("the messages of the usage stream", () => {
  it("are JSON with a type and a version", () => {
    const counts = new Map([
      ["k1", 3],
      ["__proto__", 40],
    ]);
    const text = '{"type":"usage","version":1,"counts":{"k1":3,"__proto__":40}}';
    expect(encodeUsageMessage(counts)).to.equal(text);
    expect(decodeUsageMessage(Buffer.from(text))).to.deep.equal({ counts, refusals: new Map() });
  });

  it("have refusals beside counts that are empty, which earlier versions read", () => {
    const refusals = new Map([["k1 rate_limited", 3]]);
    const text = '{"type":"usage","version":1,"counts":{},"refusals":{"k1 rate_limited":3}}';
    expect(encodeUsageMessage(refusals, "refusals")).to.equal(text);
    expect(decodeUsageMessage(Buffer.from(text))).to.deep.equal({ counts: new Map(), refusals });
  });

  const unreadable: [what: string, bytes: string, foreign: boolean][] = [
    ["garbage bytes", "\x00\xff\x17", false],
    ["nothing", "", false],
    ["half a message", '{"type":"usage","vers', false],
    ["a number", "7", false],
    ["null", "null", false],
    ["another type", '{"type":"elevation","version":1,"counts":{}}', true],
    ["a version from the future", '{"type":"usage","version":2,"counts":{}}', true],
    ["no counts", '{"type":"usage","version":1}', false],
    ["a list of counts", '{"type":"usage","version":1,"counts":[3]}', false],
    ["a negative count of refusals", '{"type":"usage","version":1,"counts":{},"refusals":{"k":-1}}', false],
    ["a negative count", '{"type":"usage","version":1,"counts":{"k":-1}}', false],
    ["a fractional count", '{"type":"usage","version":1,"counts":{"k":1.5}}', false],
    ["a count as text", '{"type":"usage","version":1,"counts":{"k":"1"}}', false],
  ];
  for (const [what, bytes, foreign] of unreadable)
    it(`are invalid with ${what}`, () =>
      expect(decodeUsageMessage(Buffer.from(bytes, "latin1")))
        .to.include({ foreign })
        .and.to.have.property("problem"));

  it("have subjects of day, instance and shard", () => {
    const subject = { day: "2026-05-02", instanceId: "b-1_x", shard: 63 };
    expect(natsSubject(subject)).to.equal("usage.20260502.b-1_x.63");
    for (const part of ["usage.20260502.b-1_x.63", "usage.20260502.b-1_x.63-1", "usage.20260502.b-1_x.63-12"])
      expect(parseNatsSubject(part), part).to.deep.equal(subject);
  });
  it("have parts, of which the next one has the next number", () => {
    expect(nextPart("usage.20260502.b-1.63")).to.equal("usage.20260502.b-1.63-1");
    expect(nextPart("usage-months.202605.63-9")).to.equal("usage-months.202605.63-10");
    expect(wholeSubject("usage.20260502.b-1.63-10")).to.equal("usage.20260502.b-1.63");
  });
  it("of months have subjects of month and shard", () => {
    expect(natsMonthSubject({ month: "2026-05", shard: 63 })).to.equal("usage-months.202605.63");
    for (const part of ["usage-months.202605.63", "usage-months.202605.63-2"])
      expect(parseNatsMonthSubject(part), part).to.deep.equal({ month: "2026-05", shard: 63 });
    for (const bad of ["202613.1", "202605.64", "2026.1", "202605", "202605.1.1"])
      expect(parseNatsMonthSubject(`usage-months.${bad}`), bad).to.equal(null);
  });

  for (const subject of [
    "usage.20260502.b.64",
    "usage.20260230.b.1",
    "usage.2026052.b.1",
    "usage.20260502.b",
    "usage.20260502.b.1.1",
    "usage.20260502.b.1-",
    "usage.20260502..1",
    "keys.20260502.b.1",
  ])
    it(`don't have the subject ${subject}`, () => expect(parseNatsSubject(subject)).to.equal(null));
});
