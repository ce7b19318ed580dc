import { expect } from "chai";
import { createSuspects, formOutcome } from "./suspects.ts";

describe("networks whose forms are refused", () => {
  const refuse = (suspects: ReturnType<typeof createSuspects>, ip: string, count: number) => {
    for (let refused = 0; refused < count; refused += 1) suspects.noteRefused(ip);
  };

  for (const [ip, other, same] of [
    ["192.0.2.7", "192.0.2.7", true],
    ["192.0.2.7", "192.0.2.8", false],
    ["2001:db8::1", "2001:db8::ffff:1", true],
    ["2001:db8::1", "2001:db8:0:1::1", false],
  ] as const)
    it(`${ip} and ${other} are ${same ? "one" : "two"}`, () => {
      const suspects = createSuspects();
      refuse(suspects, ip, 5);
      expect(suspects.has(other)).to.equal(same);
    });

  it("are suspects from the fifth refusal until a form is accepted", () => {
    const suspects = createSuspects();
    refuse(suspects, "192.0.2.7", 4);
    expect(suspects.has("192.0.2.7")).to.equal(false);
    refuse(suspects, "192.0.2.7", 1);
    expect(suspects.has("192.0.2.7")).to.equal(true);
    suspects.noteAccepted("192.0.2.7");
    expect(suspects.has("192.0.2.7")).to.equal(false);
  });

  it("are bounded: the oldest are dropped", () => {
    const suspects = createSuspects();
    refuse(suspects, "192.0.2.7", 5);
    for (let count = 0; count < 10_000; count += 1) suspects.noteRefused(`10.0.${count >> 8}.${count & 255}`);
    expect(suspects.has("192.0.2.7")).to.equal(false);
  });
});

describe("formOutcome", () => {
  for (const [statusCode, location, outcome] of [
    [303, "/console/keys", "accepted"],
    [200, undefined, "accepted"],
    [303, "/console/sign-in?next=%2Fconsole", "refused"],
    [403, undefined, "refused"],
    [429, undefined, "refused"],
    // A stranger's malformed form must not clear the stranger's network.
    [400, undefined, "refused"],
    [409, undefined, "failed"],
    [503, undefined, "failed"],
  ] as const)
    it(`of ${statusCode}${location ? ` to ${location}` : ""}: ${outcome}`, () =>
      expect(formOutcome({ statusCode, headers: { location } }, "/console/keys")).to.equal(outcome));

  // Every customer has a key for it, and could clear their network with it between wrong tokens.
  for (const [statusCode, outcome] of [
    [200, "failed"],
    [403, "refused"],
  ] as const)
    it(`of ${statusCode} of a customer's page: ${outcome}`, () =>
      expect(formOutcome({ statusCode, headers: {} }, "/account")).to.equal(outcome));
});
