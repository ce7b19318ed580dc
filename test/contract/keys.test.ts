import { expect } from "chai";
import { RAINHAVEN_FREE } from "../fixtures/places.ts";
import type { IssuedKey } from "../harness/deployment.ts";
import { expectError, expectRecord } from "../harness/expect-response.ts";
import { forged, keyed, SLOTS } from "../harness/slots.ts";
import { onEveryDeployment } from "../harness/suite.ts";
import { unrecordedKey } from "../harness/unrecorded-key.ts";
import { waitFor } from "../harness/wait-for.ts";

const BASE62 = "[0-9A-Za-z]";
const REVOCATION_DEADLINE_MS = 5_000;

onEveryDeployment("contract 5: keys", (deployment) => {
  let secret: IssuedKey;
  let publishable: IssuedKey;
  let revoked: IssuedKey;
  let unknown: string;
  before(async function () {
    this.timeout(30_000);
    unknown = unrecordedKey().key;
    [secret, publishable, revoked] = await Promise.all([
      deployment().sharedKey(),
      deployment().sharedKey({ kind: "publishable" }),
      deployment().issueKey(),
    ]);
    expectRecord(await deployment().send(keyed(revoked.key)));
    await deployment().keys("revoke", revoked.keyId, "--reason", "seen in a public repository");
    await waitFor(
      "the revocation to be seen",
      async () => (await deployment().send(keyed(revoked.key))).status === 401,
      REVOCATION_DEADLINE_MS,
    );
  });

  it("a key is recognizable: kind, signing-key id, at least 128 random bits, MAC of 128 bits, in base62", () => {
    const shape = (kind: string) => new RegExp(`^geo_${kind}_${BASE62}{26,}_${BASE62}{22}$`);
    expect(secret.key).to.match(shape("sk"));
    expect(publishable.key).to.match(shape("pk"));
    expect(secret.display)
      .to.match(/^geo_sk_/)
      .with.length.below(20);
    expect(secret.key).to.not.include(secret.display);
  });

  for (const slot of SLOTS) {
    it(`a key of either kind is accepted in ${slot.name}`, async () => {
      for (const { key } of [secret, publishable])
        expect(expectRecord(await deployment().send(slot.with(key)))).to.have.property("city", "Rainhaven");
    });

    it(`wrong shape in ${slot.name}: malformed_key`, async () => {
      const wrong = [
        ...["x", "geo_sk_", "geo_sk__", "undefined", "null", "0", "*", "<PUBLISHABLE_KEY>"],
        secret.key.slice(0, -1),
        `${secret.key}A`,
        `${secret.key}.`,
        secret.key.replace("geo_sk_", "geo_xk_"),
        secret.key.replace("geo_sk_", "GEO_SK_"),
        secret.key.replace("geo_", ""),
        secret.key.replaceAll("_", "-"),
        `${secret.key.slice(0, 20)} ${secret.key.slice(20)}`,
        `"${secret.key}"`,
        `${secret.key},${secret.key}`,
        "a".repeat(256),
        "a".repeat(257),
        `geo_sk_${"A".repeat(400)}_${"A".repeat(22)}`,
        "a".repeat(8_000),
      ];
      for (const key of wrong) {
        const message = expectError(await deployment().send(slot.with(key)), "malformed_key", deployment());
        expect(message, "a key is not repeated").to.not.include(secret.key.slice(10, 30));
        expect(message).to.have.length.below(1000);
      }
    });

    it(`not issued by the service, in ${slot.name}: bad_signature`, async () => {
      const notIssued = [
        forged(secret.key),
        forged(publishable.key),
        // The MAC covers everything before it: the kind and the signing-key id too.
        secret.key.replace("geo_sk_", "geo_pk_"),
        publishable.key.replace("geo_pk_", "geo_sk_"),
        secret.key.replace(/^geo_sk_..../, "geo_sk_zzzz"),
        secret.key.slice(0, -22) + publishable.key.slice(-22),
        secret.key.slice(0, -1) + (secret.key.endsWith("A") ? "B" : "A"),
      ];
      for (const key of notIssued) expectError(await deployment().send(slot.with(key)), "bad_signature", deployment());
    });

    it(`no active record, in ${slot.name}: unknown_key`, async () => {
      expectError(await deployment().send(slot.with(unknown)), "unknown_key", deployment());
    });

    it(`explicitly revoked, in ${slot.name}: revoked_key`, async () => {
      expectError(await deployment().send(slot.with(revoked.key)), "revoked_key", deployment());
    });

    it(`messages name the slot ${slot.name} and never the key`, async () => {
      const word = { "?key=": "query", "Authorization: Bearer": "Bearer", "X-API-Key": "X-API-Key" }[slot.name] ?? "";
      for (const [key, code] of [
        ["nonsense", "malformed_key"],
        [forged(secret.key), "bad_signature"],
        [unknown, "unknown_key"],
        [revoked.key, "revoked_key"],
      ] as const) {
        const message = expectError(await deployment().send(slot.with(key)), code, deployment());
        expect(message).to.include(word);
        if (key.length > 20) expect(message).to.not.include(key.slice(8, 28));
      }
    });
  }

  it("a key given twice in the query is malformed, even when both are the same", async () => {
    for (const query of [`key=${secret.key}&key=${secret.key}`, `key=${secret.key}&key=`, `key=&key=${secret.key}`])
      expectError(await deployment().send({ path: `/v1/geo?${query}` }), "malformed_key", deployment());
  });

  it("bytes that no key contains are malformed, never a 500", async () => {
    for (const key of ["%00", "%ff", "%0d%0aX-Injected:%201", "%F0%9F%94%91", `${secret.key}%00`, `%20${secret.key}`])
      expectError(await deployment().send({ path: `/v1/geo?key=${key}` }), "malformed_key", deployment());
    const headers = { "X-API-Key": "cl\u00e9" };
    expectError(await deployment().send({ headers }), "malformed_key", deployment());
  });

  it("a percent-encoded key is decoded", async () => {
    const path = `/v1/geo?key=${secret.key.replaceAll("_", "%5F")}`;
    expect(expectRecord(await deployment().send({ path }))).to.have.property("city");
  });

  it("requests with a key aren't limited by the hourly limit", async () => {
    const response = await deployment().send(keyed(secret.key));
    expect(response.headers["x-ratelimit-limit"]).to.equal("1000000");
    expect(expectRecord(response)).to.not.deep.equal(RAINHAVEN_FREE);
  });
});
