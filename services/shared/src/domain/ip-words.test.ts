import { expect } from "chai";
import ipaddr from "ipaddr.js";
import { formatIpv4, parseIpv4, parseIpv6 } from "./ip-words.ts";

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
