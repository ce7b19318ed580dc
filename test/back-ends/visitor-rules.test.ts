import type { IncomingMessage } from "node:http";
import { clientAddress, parseTrustProxy as parseSetting } from "@geolookup/shared/runtime/http/client-address.ts";
import { expect } from "chai";
import fc from "fast-check";
import { parseTrustProxy, visitorOf } from "../../packages/server/src/visitor.ts";

const TRUSTED = ["loopback", "linklocal", "uniquelocal", "192.0.2.0/24", "2001:db8:1::/48"];

describe("trustProxy of @geolookup/server", () => {
  it("follows the rules of TRUST_PROXY", () => {
    const trusted = parseTrustProxy(TRUSTED);
    const trusts = parseSetting(TRUSTED.join());
    const address = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.ipV4().map((ip) => `::ffff:${ip}`),
      fc.constantFrom("127.0.0.1", "::1", "10.1.2.3", "2001:db8:1::5", "0:0:0:0:0:ffff:a00:1", "::1.2.3.4"),
      fc.constantFrom("169.254.0.1", "fe80::1", "172.16.0.1", "192.168.0.1", "fd00::1", "192.0.2.7"),
    );
    const hop = fc.oneof(
      { weight: 4, arbitrary: address },
      fc.tuple(address, fc.nat(70_000)).map(([ip, port]) => (ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`)),
      fc.constantFrom("", " ", "unknown", "[::1", "1.2.3", "fe80::1%eth0", "127.0.0.1:80"),
    );
    const header = fc.option(
      fc.array(hop, { maxLength: 5 }).map((hops) => hops.join(", ")),
      { nil: undefined },
    );
    fc.assert(
      fc.property(address, header, (peer, forwardedFor) => {
        const request = { socket: { remoteAddress: peer }, headers: { "x-forwarded-for": forwardedFor } };
        expect(visitorOf(request as unknown as IncomingMessage, trusted)).to.equal(
          clientAddress(peer, forwardedFor, trusts),
        );
      }),
      { numRuns: 500 },
    );
  });
});
