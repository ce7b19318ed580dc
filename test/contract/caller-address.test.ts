import { expect } from "chai";
import { RAINHAVEN_RECORD } from "../fixtures/places.ts";
import type { IssuedKey } from "../harness/deployment.ts";
import { expectRecord } from "../harness/expect-response.ts";
import { keyed } from "../harness/slots.ts";
import { onEveryDeployment } from "../harness/suite.ts";

/** X-Forwarded-For as sent (a list: several header lines) by a trusted peer, and the address that is the caller's. */
const CASES: readonly (readonly [what: string, forwarded: string | readonly string[], caller: string])[] = [
  ["one hop", "44.1.2.3", "44.1.2.3"],
  ["a spoofed hop to the left", "51.7.0.9, 44.1.2.3", "44.1.2.3"],
  ["many spoofed hops", `${"51.7.0.9, ".repeat(500)}44.1.2.3`, "44.1.2.3"],
  ["garbage to the left", "garbage, <script>, 44.1.2.3", "44.1.2.3"],
  ["several trusted hops to the right", "51.7.0.9, 44.1.2.3, 127.0.0.5, ::1, 127.0.0.1", "44.1.2.3"],
  ["a trusted hop written as IPv4-mapped", "44.1.2.3, ::ffff:127.0.0.1", "44.1.2.3"],
  ["several header lines", ["51.7.0.9", "44.1.2.3"], "44.1.2.3"],
  ["several header lines, the last trusted", ["51.7.0.9, 44.1.2.3", "127.0.0.1"], "44.1.2.3"],
  ["IPv6 in upper case and full length", "2A0E:1234:0000:0000:0000:0000:00AB:0001", "2a0e:1234::ab:1"],
  ["IPv6 in brackets with a zone and a port", "[2a0e:1234::1%eth0]:443", "2a0e:1234::1"],
  ["IPv4-mapped in brackets with a port", "[::ffff:44.1.2.3]:443", "44.1.2.3"],
];

/** An unparsable hop means the nearest trusted peer's address; null: that of the connection. */
const UNPARSABLE: readonly (readonly [forwarded: string | readonly string[], caller: string | null])[] = [
  ...[
    ...["garbage", "unknown", "_hidden", "", " ", ",", "44.1.2.3,", "44.1.2.3, ,", "null"],
    ...["44.1.2.300", "44.1.2", "44.1.2.3.4", "044.1.2.3", "0x2c.1.2.3", "738263555", "44.1.2.3/24", "44.1.2.-3"],
    ...['"44.1.2.3"', "'44.1.2.3'", "for=44.1.2.3", "44.1.2.3;", "44.1.2.3 51.7.0.9", "44.1.2.3:", "44.1.2.3:http"],
    ...["[2a0e:1234::1", "2a0e:1234::1]", "[44.1.2.3]:80]", "[]", "[]:80", "2a0e:1234:::1", "2a0e::1234::1", "12345::"],
    ...["2a0e:1234:1:2:3:4:5:6:7", "[2a0e:1234::1]443", "example.com", "44.1.2.3, garbage", "\u00e9"],
  ].map((forwarded) => [forwarded, null] as const),
  ["44.1.2.3, garbage, 127.0.0.9", "127.0.0.9"],
  [["44.1.2.3", "garbage", "127.0.0.8, 127.0.0.9"], "127.0.0.8"],
];

onEveryDeployment("contract: the caller's address", (deployment) => {
  let paid: IssuedKey;
  before(async () => {
    paid = await deployment().sharedKey();
  });
  const recordOf = async (headers: Record<string, string | readonly string[]>) =>
    expectRecord(await deployment().send({ ...keyed(paid.key), headers, from: null }));

  for (const [what, forwarded, caller] of CASES)
    it(`X-Forwarded-For from a trusted peer, ${what}`, async () => {
      expect(await recordOf({ "X-Forwarded-For": forwarded })).to.deep.equal({ ip: caller, ...RAINHAVEN_RECORD });
    });

  it("an unparsable hop means the nearest trusted peer's address", async () => {
    for (const [forwarded, caller] of UNPARSABLE) {
      const record = await recordOf({ "X-Forwarded-For": forwarded });
      expect([forwarded, record.ip]).to.deep.equal([forwarded, caller ?? deployment().peer]);
      expect(record).to.include({ country: null, partial: true });
    }
  });

  it("without untrusted hops, the first trusted one is the caller", async () => {
    expect(await recordOf({})).to.include({ ip: deployment().peer, partial: true });
    expect(await recordOf({ "X-Forwarded-For": "127.0.0.7" })).to.include({ ip: "127.0.0.7" });
    expect(await recordOf({ "X-Forwarded-For": "::1, 127.0.0.7" })).to.include({ ip: "::1" });
  });

  it("all other headers are ignored", async () => {
    const headers = Object.fromEntries(
      [
        "Forwarded",
        "X-Real-IP",
        "X-Client-IP",
        "True-Client-IP",
        "CF-Connecting-IP",
        "X-Forwarded",
        "Client-IP",
        "Via",
      ].map((name) => [name, name === "Forwarded" ? "for=51.7.0.9" : "51.7.0.9"]),
    );
    expect(await recordOf(headers)).to.include({ ip: deployment().peer });
    expect(await recordOf({ ...headers, "X-Forwarded-For": "44.1.2.3" })).to.include({ ip: "44.1.2.3" });
  });
});
