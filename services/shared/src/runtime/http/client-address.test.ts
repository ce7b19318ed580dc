import type { IncomingMessage } from "node:http";
import { expect } from "chai";
import {
  canonicalAddress,
  clientAddress,
  createCallerAddress,
  createCallerOf,
  hopBefore,
  parseHop,
  parseTrustProxy,
} from "./client-address.ts";
import { trustsMostAddresses } from "./trusts-most-addresses.ts";

/** IPv6 as RFC 5952, section 4.2, shortens it: the longest run of zeros, the first of equals, never a single group. */
describe("canonicalAddress", () => {
  for (const [text, expected] of [
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::FFFF:CB00:7107", "203.0.113.7"],
    ["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
    ["2001:db8:0:1:0:0:0:1", "2001:db8:0:1::1"],
    ["2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
    ["::", "::"],
    ["::1", "::1"],
    ["fe80::1%eth0", "fe80::1"],
    ["2a02:810d:1234:5678:9abc:def1:2345:6789", "2a02:810d:1234:5678:9abc:def1:2345:6789"],
    ["2a02:810d:1234:5678:9abc:def1:2345:6789:1", null],
    ["64:ff9b::203.0.113.7", "64:ff9b::cb00:7107"],
    ["::1.2.3.4", "::102:304"],
    ["01.2.3.4", null],
    ["256.1.1.1", null],
    ["0x7f.1", null],
    ["unknown", null],
    ["", null],
  ] as const) {
    it(`${JSON.stringify(text)} is ${expected}`, () => expect(canonicalAddress(text)).to.equal(expected));
  }
});

describe("parseHop", () => {
  for (const [hop, expected] of [
    [" 203.0.113.7 ", "203.0.113.7"],
    ["203.0.113.7:8080", "203.0.113.7"],
    ["203.0.113.7:", null],
    ["[2001:db8::1]", "2001:db8::1"],
    ["[2001:db8::1]:443", "2001:db8::1"],
    ["[fe80::1%eth0]:443", "fe80::1"],
    ["[::ffff:203.0.113.7]:443", "203.0.113.7"],
    ["2001:db8::1", "2001:db8::1"],
    ["[203.0.113.7]", null],
    ["[2001:db8::1]x", null],
    ['"[2001:db8::1]:443"', null],
    ["_hidden", null],
    ["", null],
  ] as const) {
    it(`${JSON.stringify(hop)} is ${expected}`, () => expect(parseHop(hop)).to.equal(expected));
  }
});

describe("parseTrustProxy", () => {
  const cases: readonly (readonly [setting: string, ip: string, trusted: boolean])[] = [
    ["none", "127.0.0.1", false],
    ["loopback", "127.0.0.1", true],
    ["loopback", "127.200.0.9", true],
    ["loopback", "::1", true],
    ["10.0.0.0/8, 2001:db8::/32", "10.255.0.1", true],
    ["10.0.0.0/8, 2001:db8::/32", "11.0.0.1", false],
    ["10.0.0.0/8, 2001:db8::/32", "2001:db8:ffff::1", true],
    ["192.0.2.1", "192.0.2.2", false],
    ["uniquelocal,linklocal", "172.31.0.1", true],
    ["uniquelocal,linklocal", "fe80::1", true],
    ["uniquelocal,linklocal", "8.8.8.8", false],
    ["0.0.0.0/0", "8.8.8.8", true],
    ["0.0.0.0/0", "2001:db8::1", false],
  ];
  for (const [setting, ip, trusted] of cases) {
    it(`${setting}: ${ip} is ${trusted ? "" : "not "}trusted`, () =>
      expect(parseTrustProxy(setting)(ip)).to.equal(trusted));
  }
  for (const bad of [
    "10.0.0.0/33",
    "10.0.0/8",
    "10.0.0.0/8/9",
    "loopbak",
    "::1/129",
    "",
    "loopback,",
    "10.0.0.0/",
    "none,loopback",
  ]) {
    it(`refuses ${JSON.stringify(bad)}`, () =>
      expect(() => parseTrustProxy(bad)).to.throw(/isn't a valid address, CIDR or name/));
  }
});

describe("clientAddress", () => {
  const trusts = parseTrustProxy("loopback, 10.0.0.0/8");
  const cases: readonly (readonly [name: string, peer: string, header: string | undefined, expected: string])[] = [
    ["no header", "127.0.0.1", undefined, "127.0.0.1"],
    ["empty header", "127.0.0.1", "", "127.0.0.1"],
    ["one hop from a trusted peer", "127.0.0.1", "192.0.2.7", "192.0.2.7"],
    ["a mapped trusted peer", "::ffff:127.0.0.1", "192.0.2.7", "192.0.2.7"],
    ["a header from an untrusted peer is ignored", "198.51.100.1", "192.0.2.7", "198.51.100.1"],
    [
      "the walk stops at the first untrusted hop from the right",
      "127.0.0.1",
      "1.1.1.1, 192.0.2.7, 10.0.0.9",
      "192.0.2.7",
    ],
    ["a spoofed leftmost hop is ignored", "10.0.0.1", "81.2.69.142, 192.0.2.7", "192.0.2.7"],
    ["all hops trusted: the furthest", "10.0.0.1", "10.0.0.3,10.0.0.2", "10.0.0.3"],
    ["an unparsable hop: the nearest trusted peer", "127.0.0.1", "192.0.2.7, garbage", "127.0.0.1"],
    ["an unparsable hop beyond a trusted one", "127.0.0.1", "garbage, 10.0.0.2", "10.0.0.2"],
    ["an unparsable hop that is never reached", "127.0.0.1", "garbage, 192.0.2.7", "192.0.2.7"],
    ["an empty hop", "127.0.0.1", "192.0.2.7, ", "127.0.0.1"],
    ["ports and brackets", "127.0.0.1", "[2001:DB8::7]:1234, 10.0.0.2:99", "2001:db8::7"],
    ["a mapped hop", "127.0.0.1", "::ffff:192.0.2.7", "192.0.2.7"],
  ];
  for (const [name, peer, header, expected] of cases) {
    it(name, () => expect(clientAddress(peer, header, trusts)).to.equal(expected));
  }
});

describe("hopBefore", () => {
  const callerOf = createCallerOf(parseTrustProxy("loopback"));
  const cases: readonly (readonly [what: string, peer: string, header: string | undefined, expected: string | null])[] =
    [
      ["directly", "198.51.100.1", "192.0.2.7", "192.0.2.7"],
      ["directly, the rightmost only", "198.51.100.1", "spoofed, 203.0.113.9, 192.0.2.7", "192.0.2.7"],
      ["behind a proxy", "127.0.0.1", "203.0.113.9, 192.0.2.7, 198.51.100.1", "192.0.2.7"],
      ["no header", "198.51.100.1", undefined, null],
      ["no remaining entry", "127.0.0.1", "198.51.100.1", null],
      ["only trusted entries", "127.0.0.1", "127.0.0.3, 127.0.0.2", null],
      ["not an address", "198.51.100.1", "192.0.2.7, unknown", null],
      ["an empty entry", "127.0.0.1", ",198.51.100.1", null],
      ["beyond an invalid hop", "127.0.0.1", "192.0.2.7, unknown", null],
    ];
  for (const [what, remoteAddress, forwardedFor, expected] of cases)
    it(`${what}: ${expected}`, () => {
      const request = { socket: { remoteAddress }, headers: { "x-forwarded-for": forwardedFor } };
      const caller = callerOf(request as unknown as IncomingMessage);
      expect(hopBefore(caller, forwardedFor)).to.equal(expected);
    });
});

describe("createCallerAddress", () => {
  const request = (socket: object, forwardedFor?: string) =>
    ({ socket, headers: { "x-forwarded-for": forwardedFor } }) as unknown as IncomingMessage;

  it("determines the caller of each request of a connection", () => {
    const addressOf = createCallerAddress(parseTrustProxy("loopback"));
    const [proxy, stranger] = [{ remoteAddress: "::ffff:127.0.0.1" }, { remoteAddress: "198.51.100.1" }];
    expect(addressOf(request(proxy, "192.0.2.7"))).to.equal("192.0.2.7");
    expect(addressOf(request(stranger, "192.0.2.7"))).to.equal("198.51.100.1");
    expect(addressOf(request(proxy, "192.0.2.8"))).to.equal("192.0.2.8");
    expect(addressOf(request(proxy))).to.equal("127.0.0.1");
    expect(addressOf(request(stranger))).to.equal("198.51.100.1");
  });

  it("checks once per connection whether the peer is trusted", () => {
    const checked: string[] = [];
    const addressOf = createCallerAddress((ip) => {
      checked.push(ip);
      return ip === "10.0.0.1";
    });
    const connections = [{ remoteAddress: "10.0.0.1" }, { remoteAddress: "10.0.0.1" }];
    for (const connection of [...connections, ...connections]) addressOf(request(connection, "192.0.2.7"));
    expect(checked).to.deep.equal(["10.0.0.1", "10.0.0.1"]);
  });

  it("returns an empty address for a closed connection", () => {
    const addressOf = createCallerAddress(parseTrustProxy("0.0.0.0/0"));
    expect(addressOf(request({ remoteAddress: undefined }, "192.0.2.7"))).to.equal("");
  });
});

describe("trustsMostAddresses", () => {
  /** The whole of IPv4, except 0.0.0.0/8, in eight parts. */
  const inParts = "1.0.0.0/8,2.0.0.0/7,4.0.0.0/6,8.0.0.0/5,16.0.0.0/4,32.0.0.0/3,64.0.0.0/2,128.0.0.0/1";
  const cases: [setting: string, trusts: boolean][] = [
    ["0.0.0.0/0", true],
    ["loopback, 10.0.0.0/8, ::/0", true],
    ["0.0.0.0/1,128.0.0.0/1", true],
    ["128.0.0.0/1", true],
    [inParts, true],
    ["2000::/3", true],
    ["::ffff:0:0/96", true],
    ["none", false],
    ["loopback,linklocal,uniquelocal", false],
    ["10.0.0.0/8,173.245.48.0/20,2400:cb00::/32", false],
    ["fc00::/7,fe80::/10,8000::/1", false],
  ];
  for (const [setting, trusts] of cases)
    it(`${setting}: ${trusts}`, () => expect(trustsMostAddresses(setting)).to.equal(trusts));
});
