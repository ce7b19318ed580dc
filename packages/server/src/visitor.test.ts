import type { IncomingMessage } from "node:http";
import { expect } from "chai";
import { parseTrustProxy, visitorOf } from "./visitor.ts";

const TRUSTED = ["loopback", "10.0.0.0/8", "2001:db8:1::/48"];

function visitor(peer: string, forwardedFor: string | undefined, trusted: readonly string[] = TRUSTED): string | null {
  const request = { socket: { remoteAddress: peer }, headers: { "x-forwarded-for": forwardedFor } };
  return visitorOf(request as unknown as IncomingMessage, parseTrustProxy(trusted));
}

describe("the visitor of a request", () => {
  const cases: readonly (readonly [what: string, peer: string, header: string | undefined, expected: string | null])[] =
    [
      ["the peer", "198.51.100.1", undefined, "198.51.100.1"],
      ["a peer that isn't a proxy can't choose its address", "198.51.100.1", "192.0.2.7", "198.51.100.1"],
      ["a proxy names the visitor", "127.0.0.1", "192.0.2.7", "192.0.2.7"],
      ["what the visitor sent is ignored", "::ffff:10.0.0.1", "81.2.69.142, 192.0.2.7, 10.9.9.9", "192.0.2.7"],
      ["an invalid entry: the nearest proxy", "10.0.0.1", "192.0.2.7, garbage, 10.0.0.2", "10.0.0.2"],
      ["brackets, port, zone", "::1", "[2001:DB8:2:0:0::7%eth0]:443", "2001:db8:2::7"],
      ["a closed connection", "", "192.0.2.7", null],
    ];
  for (const [what, peer, header, expected] of cases) it(what, () => expect(visitor(peer, header)).to.equal(expected));

  it("is the peer by default, even with X-Forwarded-For", () => {
    expect(visitor("127.0.0.1", "192.0.2.7", [])).to.equal("127.0.0.1");
  });

  for (const bad of ["10.0.0.0/33", "10.0.0/8", "loopbak", "", "none", "fe80::1%eth0"])
    it(`trustProxy refuses ${JSON.stringify(bad)}`, () =>
      expect(() => parseTrustProxy(["loopback", bad])).to.throw(TypeError, /isn't a valid address, CIDR or name/));
});
