import { expect } from "chai";
import ipaddr from "ipaddr.js";
import { formatIpv4, limitSubject, parseIpv4, parseIpv6 } from "./ip-words.ts";

describe("ip-words", () => {
  for (const text of ["0.0.0.0", "1.2.3.4", "255.255.255.255", "127.0.0.1", "128.0.0.0"])
    it(`reads and writes ${text}`, () => {
      const bytes = ipaddr.parse(text).toByteArray();
      expect(parseIpv4(text)).to.equal(Buffer.from(bytes).readUInt32BE());
      expect(formatIpv4(parseIpv4(text) as number)).to.equal(text);
    });

  for (const text of [
    "",
    "1.2.3",
    "1.2.3.4.5",
    "1.2.3.256",
    "01.2.3.4",
    "1.2.3.",
    ".1.2.3",
    "1..2.3",
    "1.2.3.4 ",
    "a.b.c.d",
    "::1",
  ])
    it(`refuses ${JSON.stringify(text)} as IPv4`, () => {
      expect(parseIpv4(text)).to.equal(null);
    });

  const ipv6 = [
    "::",
    "::1",
    "1::",
    "2001:db8::8:800:200c:417a",
    "1:2:3:4:5:6:7:8",
    "::ffff:1.2.3.4",
    "64:ff9b::192.0.2.33",
    "fe80::",
    "FFFF::ABCD",
    "1:2:3:4:5:6:7::",
    "::2:3:4:5:6:7:8",
    "2002:0102:0304::",
  ];
  for (const text of ipv6)
    it(`reads ${text}`, () => {
      const bytes = Buffer.from((ipaddr.parse(text) as ipaddr.IPv6).toByteArray());
      expect(parseIpv6(text)).to.deep.equal([0, 4, 8, 12].map((at) => bytes.readUInt32BE(at)));
    });

  for (const text of [
    "",
    ":",
    ":::",
    "1",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1::2::3",
    "12345::",
    "g::",
    "1:2:3:4:5:6:7:",
    ":1:2:3:4:5:6:7:8",
    "::1%eth0",
    "::1.2.3",
    "1:2:3:4:5:6:7:8::",
    "::1.2.3.4:5",
    "[::1]",
  ])
    it(`refuses ${JSON.stringify(text)} as IPv6`, () => {
      expect(parseIpv6(text)).to.equal(null);
    });
});

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
