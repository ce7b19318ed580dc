import { expect } from "chai";
import { freshIpv4 } from "../harness/addresses.ts";
import type { IssuedKey } from "../harness/deployment.ts";
import { expectError, expectRecord, limitHeaders, varyOf } from "../harness/expect-response.ts";
import { keyed, SLOTS } from "../harness/slots.ts";
import { onEveryDeployment } from "../harness/suite.ts";
import { waitFor } from "../harness/wait-for.ts";

const KNOWN_WITHIN_MS = 5_000;
const IGNORED = /^X-Forwarded-For is ignored: this key can't look up visitors/;
const NOTICE = /^X-Forwarded-For has no valid visitor address/;

/** X-Forwarded-For as a trusted proxy sends it, the caller, and the visitor that a key with the permission names. */
const CASES: readonly (readonly [what: string, forwarded: string, caller: string, visitor: string | null])[] = [
  ["behind a proxy", "44.1.2.3, 51.7.0.9", "51.7.0.9", "44.1.2.3"],
  ["behind two proxies", "44.1.2.3, 51.7.0.9, 127.0.0.9", "51.7.0.9", "44.1.2.3"],
  ["over IPv6", "[2A0E:1234:0::7]:99, 51.7.0.9", "51.7.0.9", "2a0e:1234::7"],
  ["what the visitor sent is ignored", "44.9.9.9, 44.1.2.3, 51.7.0.9", "51.7.0.9", "44.1.2.3"],
  ["a visitor with a trusted address", "44.1.2.3, 127.0.0.8, 51.7.0.9", "51.7.0.9", "127.0.0.8"],
  ["no visitor", "51.7.0.9", "51.7.0.9", null],
  ["a visitor that isn't an address", "44.1.2.3, unknown, 51.7.0.9", "51.7.0.9", null],
  ["a proxy's entry that isn't an address", "44.1.2.3, garbage, 127.0.0.9", "127.0.0.9", null],
];

onEveryDeployment("keys that can look up visitors", (deployment) => {
  let may: IssuedKey;
  let mayNot: IssuedKey;
  before(async () => {
    may = await deployment().sharedKey({ kind: "secret", forward: true });
    mayNot = await deployment().sharedKey({ kind: "secret" });
  });
  const lookup = async ({ key }: IssuedKey, forwarded: string, path = "/v1/geo") => {
    const headers = { Authorization: `Bearer ${key}`, "X-Forwarded-For": forwarded };
    const response = await deployment().send({ path, headers, from: null });
    return { record: expectRecord(response), notice: response.headers["x-geolookup-notice"], response };
  };

  for (const [what, forwarded, caller, visitor] of CASES)
    it(`the visitor of a back end: ${what}`, async () => {
      const { record, notice, response } = await lookup(may, forwarded);
      expect(record.ip).to.equal(visitor ?? caller);
      if (visitor === null) expect(notice).to.match(NOTICE).and.not.match(/[0-9]/);
      // The only entry is then taken because of TRUST_PROXY, as from any proxy. On one machine, it is the visitor's.
      if (what === "no visitor") expect(notice).to.include("TRUST_PROXY");
      else if (visitor === null) expect(notice).to.include("the sender's own location");
      else expect(notice).to.equal(undefined);
      expect(varyOf(response)).to.include("x-forwarded-for");
      const other = await lookup(mayNot, forwarded);
      expect(other.record.ip, "a key without the permission").to.equal(caller);
      if (what === "no visitor") expect(other.notice).to.equal(undefined);
      else expect(other.notice).to.match(caller === "127.0.0.9" ? /^the proxy's X-Forwarded-For has no/ : IGNORED);
    });

  it("the permission works wherever the key is sent, and the notice joins the one about fields", async () => {
    const headers = { "X-Forwarded-For": "44.1.2.3, 51.7.0.9" };
    for (const slot of SLOTS) {
      const sent = slot.with(may.key);
      const response = await deployment().send({ ...sent, headers: { ...sent.headers, ...headers }, from: null });
      expect(expectRecord(response)).to.include({ ip: "44.1.2.3" });
    }
    const { notice } = await lookup(may, "51.7.0.9", "/v1/geo?fields=ip,town");
    expect(notice)
      .to.match(NOTICE)
      .and.match(/; unknown field "town"$/);
  });

  it("a lookup for a visitor counts once, against the key", async () => {
    const key = await deployment().issueKey({ kind: "secret", forward: true });
    const remaining = [];
    for (const visitor of [freshIpv4(), freshIpv4(), "unknown"])
      remaining.push(limitHeaders((await lookup(key, `${visitor}, 51.7.0.9`)).response).remaining);
    const [first = 0] = remaining;
    expect(remaining).to.deep.equal([first, first - 1, first - 2]);
  });

  it("the permission is only for secret keys and only on request, is shown and recorded, and ends when the key is revoked", async () => {
    const { keyId, key } = await deployment().issueKey({ kind: "secret", forward: true });
    // One auth node may learn of a key a moment after the other has issued it.
    const printedBy = (command: string) =>
      waitFor(`keys ${command}`, () => deployment().keys(command, keyId), KNOWN_WITHIN_MS);
    expect(await printedBy("show")).to.include({ mayForward: true });
    const [{ data }] = await printedBy("history");
    expect(data).to.include({ kind: "secret", mayForward: true });
    const [plain] = await deployment().keys("history", mayNot.keyId);
    expect(plain.data, "as version 0.1 wrote it").to.have.keys(
      "kind",
      "plan",
      "label",
      "origins",
      "keySha256",
      "display",
    );
    const refused = await deployment()
      .issueKey({ kind: "publishable", forward: true })
      .catch((error: Error) => error);
    expect(String(refused)).to.include("anyone can read a publishable key");
    await deployment().keys("revoke", keyId);
    expectError(await deployment().send(keyed(key)), "revoked_key", deployment());
  });
});
