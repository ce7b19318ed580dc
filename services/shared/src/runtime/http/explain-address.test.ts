import { expect } from "chai";
import { explainAddress } from "./explain-address.ts";

describe("doctor ip explains which hop is the caller", () => {
  const cases: [trust: string, peer: string, forwardedFor: string | undefined, caller: string, last: RegExp][] = [
    ["none", "10.0.0.5", undefined, "10.0.0.5", /the peer.*10\.0\.0\.5 isn't trusted/],
    ["none", "10.0.0.5", "1.2.3.4", "10.0.0.5", /isn't trusted.*may be forged/],
    ["10.0.0.0/8", "10.0.0.5", undefined, "10.0.0.5", /there is no entry before it/],
    ["10.0.0.0/8", "10.0.0.5", "", "10.0.0.5", /there is no entry before it/],
    ["10.0.0.0/8", "10.0.0.5", "1.2.3.4", "1.2.3.4", /"1\.2\.3\.4".*isn't trusted, so it is the caller$/],
    ["10.0.0.0/8", "10.0.0.5", "6.6.6.6, 1.2.3.4, 10.0.0.5", "1.2.3.4", /isn't trusted.*may be forged/],
    ["10.0.0.0/8", "10.0.0.5", "10.0.0.9, 10.0.0.7", "10.0.0.9", /10\.0\.0\.9 is trusted and there is no entry/],
    [
      "10.0.0.0/8",
      "10.0.0.5",
      "1.2.3.4, unknown",
      "10.0.0.5",
      /"unknown".*isn't an IP address.*10\.0\.0\.5, is the caller/,
    ],
    ["10.0.0.0/8", "10.0.0.5", "1.2.3.4,", "10.0.0.5", /"".*isn't an IP address/],
    ["loopback", "::ffff:127.0.0.1", "[2001:DB8::1]:443", "2001:db8::1", /2001:db8::1 isn't trusted/],
    ["uniquelocal", "fe80::1%eth0", "1.2.3.4", "fe80::1", /fe80::1 isn't trusted/],
  ];
  for (const [trust, peer, forwardedFor, caller, last] of cases)
    it(`${peer} with ${forwardedFor ?? "no X-Forwarded-For"}, trusting ${trust}`, () => {
      const explained = explainAddress(trust, peer, forwardedFor);
      const { hop, says } = explained.steps.at(-1) ?? { hop: "", says: "" };
      // `caller` comes from the gateway's own code. The last step must agree.
      expect(explained.caller).to.equal(caller);
      expect(`${hop} ${says}`).to.match(last).and.include(caller);
    });

  const noted: [trust: string, peer: string, forwardedFor: string | undefined, notes: RegExp[]][] = [
    ["none", "1.2.3.4", undefined, []],
    ["none", "10.0.0.5", undefined, [/^10\.0\.0\.5 is a private address.*add it to TRUST_PROXY$/]],
    [
      "loopback",
      "127.0.0.1",
      "1.2.3.4, fd00::1",
      [/^fd00::1 is a private.*TRUST_PROXY$/, /look up visitors.*: 1\.2\.3\.4$/],
    ],
    ["loopback", "127.0.0.1", undefined, [/^127\.0\.0\.1 is a private address.*X-Forwarded-For$/]],
    ["loopback", "127.0.0.1", "6.6.6.6, 5.6.7.8, 1.2.3.4", [/can look up visitors, .*: 5\.6\.7\.8$/]],
    ["none", "1.2.3.4", "unknown", []],
  ];
  for (const [trust, peer, forwardedFor, notes] of noted)
    it(`notes what to check about ${peer} with ${forwardedFor ?? "no X-Forwarded-For"}, trusting ${trust}`, () => {
      const explained = explainAddress(trust, peer, forwardedFor);
      expect(explained.notes).to.have.lengthOf(notes.length);
      for (const [index, note] of notes.entries()) expect(explained.notes[index]).to.match(note);
    });

  it("names an invalid TRUST_PROXY entry or peer", () => {
    expect(() => explainAddress("10.0.0.0/99", "10.0.0.5", undefined)).to.throw('"10.0.0.0/99"');
    expect(() => explainAddress("none", "nobody", undefined)).to.throw('"nobody" isn\'t an IP address');
  });
});
