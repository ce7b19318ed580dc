import { expect } from "chai";
import { FIELD_TYPES } from "../../scripts/smoke/contract.ts";
import { ADDRESSES, RAINHAVEN_FREE, RAINHAVEN_RECORD, UPPER_TESTING_RECORD } from "../fixtures/places.ts";
import type { IssuedKey } from "../harness/deployment.ts";
import { expectRecord } from "../harness/expect-response.ts";
import { keyed } from "../harness/slots.ts";
import { onEveryDeployment } from "../harness/suite.ts";
import { waitFor } from "../harness/wait-for.ts";

/** How long a change of a key may take to be seen by callers. */
const CHANGE_DEADLINE_MS = 5_000;

onEveryDeployment("contract 2: the record and its plans", (deployment) => {
  let paid: IssuedKey;
  let free: IssuedKey;
  before(async () => {
    [paid, free] = await Promise.all([deployment().sharedKey(), deployment().sharedKey({ plan: "free" })]);
  });
  const located = async (key: string, from: string) => expectRecord(await deployment().send({ ...keyed(key), from }));

  it("the record of a fully placed address has every field that the plan includes, with the right type", async () => {
    const record = await located(paid.key, ADDRESSES.rainhaven);
    expect(record).to.have.all.keys(Object.keys(FIELD_TYPES));
    for (const [name, type] of Object.entries(FIELD_TYPES)) expect(record[name], name).to.be.a(type);
    for (const language of record.languages) expect(language).to.be.a("string");
  });

  it("every value belongs to the place; metroCode is null outside the US, and partial absent", async () => {
    expect(await located(paid.key, ADDRESSES.rainhaven)).to.deep.equal({
      ip: ADDRESSES.rainhaven,
      ...RAINHAVEN_RECORD,
    });
    expect(await located(paid.key, ADDRESSES.rainhavenIpv6)).to.deep.equal({
      ip: ADDRESSES.rainhavenIpv6,
      ...RAINHAVEN_RECORD,
    });
    expect(await located(paid.key, ADDRESSES.upperTesting)).to.deep.equal({
      ip: ADDRESSES.upperTesting,
      ...UPPER_TESTING_RECORD,
    });
  });

  it("a field that the plan doesn't include is absent, not null", async () => {
    expect(await located(free.key, ADDRESSES.rainhaven)).to.deep.equal(RAINHAVEN_FREE);
    // Where nothing is known, what the plan includes is null and the rest still absent.
    expect(await located(free.key, ADDRESSES.unknown)).to.deep.equal({
      country: null,
      countryName: null,
      continent: null,
      partial: true,
    });
  });

  it("every field can be null: an unknown address gets 200, never 500", async () => {
    const record = await located(paid.key, ADDRESSES.unknown);
    const nulls = Object.fromEntries(Object.keys(FIELD_TYPES).map((name) => [name, null]));
    expect(record).to.deep.equal({ ...nulls, ip: ADDRESSES.unknown, partial: true });
  });

  it("a publishable and a secret key of the same plan get the same record", async () => {
    const publishable = await deployment().sharedKey({ kind: "publishable" });
    expect(await located(publishable.key, ADDRESSES.rainhaven)).to.deep.equal(
      await located(paid.key, ADDRESSES.rainhaven),
    );
  });

  it("the plan tied to the key decides which fields are returned, also after it changes", async () => {
    const key = await deployment().issueKey({ plan: "free" });
    expect(await located(key.key, ADDRESSES.rainhaven)).to.deep.equal(RAINHAVEN_FREE);
    await deployment().keys("set-plan", key.keyId, "paid");
    const changed = await waitFor(
      "the paid plan's fields",
      async () => {
        const record = await located(key.key, ADDRESSES.rainhaven);
        return "city" in record && record;
      },
      CHANGE_DEADLINE_MS,
    );
    expect(changed).to.deep.equal({ ip: ADDRESSES.rainhaven, ...RAINHAVEN_RECORD });
    await deployment().keys("set-plan", key.keyId, "free");
    await waitFor(
      "the free plan's fields",
      async () => !("city" in (await located(key.key, ADDRESSES.rainhaven))),
      CHANGE_DEADLINE_MS,
    );
  });
});
