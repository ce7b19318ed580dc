import { expect } from "chai";
import { limitSubject } from "./limit-subject.ts";

describe("limitSubject", () => {
  it("keeps IPv4 addresses", () => expect(limitSubject("192.0.2.7", 64)).to.equal("192.0.2.7"));

  const sameSubject = (prefix: number, a: string, b: string) => limitSubject(a, prefix) === limitSubject(b, prefix);
  for (const [prefix, a, b, same] of [
    [64, "2001:db8::1", "2001:db8::ffff:ffff:ffff:ffff", true],
    [64, "2001:db8::1", "2001:db8:0:1::1", false],
    [56, "2001:db8:0:1::1", "2001:db8:0:ff::1", true],
    [56, "2001:db8:0:ff::1", "2001:db8:0:100::1", false],
    [60, "2001:db8:0:10::", "2001:db8:0:1f::", true],
    [60, "2001:db8:0:10::", "2001:db8:0:20::", false],
    [128, "2001:db8::1", "2001:db8::2", false],
    [1, "8000::", "ffff::", true],
    [64, "64:ff9b:1::1", "64:ff9b:1::2", true],
    [64, "2001:0:1::1", "2001:1:1::1", false],
  ] as const)
    it(`/${prefix}: ${a} and ${b} are ${same ? "one" : "two"}`, () => expect(sameSubject(prefix, a, b)).to.equal(same));

  // The Teredo addresses are the example of RFC 4380, section 4, and that of another client of the same server.
  for (const [what, ip, embedded] of [
    ["IPv4-mapped", "::ffff:81.2.69.142", "81.2.69.142"],
    ["NAT64", "64:ff9b::5102:458e", "81.2.69.142"],
    ["6to4", "2002:5102:458e:ffff::9", "81.2.69.142"],
    ["Teredo", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "192.0.2.45"],
    ["Teredo", "2001:0:4136:e378:8000:63bf:174.253.186.113", "81.2.69.142"],
  ] as const)
    it(`counts the IPv4 address inside ${what} ${ip}`, () => {
      for (const prefix of [1, 48, 64, 128]) expect(limitSubject(ip, prefix)).to.equal(embedded);
    });
});
