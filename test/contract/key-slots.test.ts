import { expect } from "chai";
import { RAINHAVEN_FREE } from "../fixtures/places.ts";
import type { IssuedKey } from "../harness/deployment.ts";
import { expectError, expectRecord } from "../harness/expect-response.ts";
import { forged } from "../harness/slots.ts";
import { onEveryDeployment } from "../harness/suite.ts";

/** The value of each slot; undefined omits it. `authorization` is the whole header. */
interface Slots {
  query?: string;
  authorization?: string;
  apiKey?: string;
}

onEveryDeployment("contract 5: where a key can be sent", (deployment) => {
  let paid: IssuedKey;
  let free: IssuedKey;
  let bad: string;
  before(async () => {
    [paid, free] = await Promise.all([deployment().sharedKey(), deployment().sharedKey({ plan: "free" })]);
    bad = forged(paid.key);
  });
  const send = ({ query, authorization, apiKey }: Slots) =>
    deployment().send({
      path: query === undefined ? "/v1/geo" : `/v1/geo?key=${query}`,
      headers: {
        ...(authorization === undefined ? {} : { Authorization: authorization }),
        ...(apiKey === undefined ? {} : { "X-API-Key": apiKey }),
      },
    });
  const expectPlan = async (slots: Slots, plan: "paid" | "free" | "keyless") => {
    const response = await send(slots);
    const record = expectRecord(response);
    const limit = { paid: "1000000", free: "10000", keyless: "60" }[plan];
    expect(response.headers["x-ratelimit-limit"], JSON.stringify(Object.keys(slots))).to.equal(limit);
    if (plan === "paid") expect(record).to.have.property("city");
    else expect(record).to.deep.equal(RAINHAVEN_FREE);
  };

  it("they are checked in this order: query string, bearer token, X-API-Key", async () => {
    const bearerFree = `Bearer ${free.key}`;
    await expectPlan({ query: paid.key, authorization: bearerFree, apiKey: free.key }, "paid");
    await expectPlan({ query: free.key, authorization: `Bearer ${paid.key}`, apiKey: paid.key }, "free");
    await expectPlan({ authorization: `Bearer ${paid.key}`, apiKey: free.key }, "paid");
    await expectPlan({ authorization: bearerFree, apiKey: paid.key }, "free");
    await expectPlan({ query: paid.key, apiKey: free.key }, "paid");
  });

  it("a bad key never falls through to the next", async () => {
    const good = paid.key;
    for (const [wrong, code] of [
      ["nonsense", "malformed_key"],
      [bad, "bad_signature"],
    ] as const) {
      expectError(await send({ query: wrong, authorization: `Bearer ${good}`, apiKey: good }), code, deployment());
      expectError(await send({ authorization: `Bearer ${wrong}`, apiKey: good }), code, deployment());
      expectError(await send({ query: wrong, apiKey: good }), code, deployment());
    }
  });

  it("keys after the first one are ignored", async () => {
    await expectPlan({ query: paid.key, authorization: "Bearer nonsense", apiKey: bad }, "paid");
    await expectPlan({ authorization: `Bearer ${paid.key}`, apiKey: "nonsense" }, "paid");
  });

  it("empty slots are skipped", async () => {
    await expectPlan({ query: "", authorization: `Bearer ${paid.key}` }, "paid");
    await expectPlan({ query: "", apiKey: paid.key }, "paid");
    await expectPlan({ query: "", authorization: "Bearer ", apiKey: paid.key }, "paid");
    await expectPlan({ query: "", authorization: "", apiKey: paid.key }, "paid");
    await expectPlan({ authorization: "Bearer", apiKey: paid.key }, "paid");
    await expectPlan({ query: paid.key, authorization: "Bearer", apiKey: "" }, "paid");
  });

  it("slots that are present but empty don't get the free tier: 401 missing_key", async () => {
    for (const slots of [
      { query: "" },
      { authorization: "Bearer" },
      { authorization: "Bearer    " },
      { authorization: "bearer" },
      { authorization: "" },
      { apiKey: "" },
      { apiKey: "   " },
      { query: "", authorization: "Bearer", apiKey: "" },
    ]) {
      const message = expectError(await send(slots), "missing_key", deployment());
      expect(message).to.match(/empty/i);
    }
    expectError(await deployment().send({ path: "/v1/geo?key" }), "missing_key", deployment());
    expectError(await deployment().send({ path: "/?fields=city&key=" }), "missing_key", deployment());
  });

  it("no slot present: the free tier", async () => {
    await expectPlan({}, "keyless");
  });

  it("the scheme is case-insensitive", async () => {
    for (const scheme of ["bearer", "BEARER", "BeArEr"])
      await expectPlan({ authorization: `${scheme} ${paid.key}` }, "paid");
  });

  it("other Authorization schemes aren't slots", async () => {
    for (const authorization of [
      "Basic dXNlcjpwYXNz",
      `Basic ${paid.key}`,
      `Token ${paid.key}`,
      "Digest x=1",
      paid.key,
    ]) {
      await expectPlan({ authorization }, "keyless");
      await expectPlan({ authorization, apiKey: paid.key }, "paid");
    }
    await expectPlan({ authorization: `Bearer${paid.key}` }, "keyless");
  });

  it("header names are case-insensitive", async () => {
    const response = await deployment().send({ headers: { "x-aPI-keY": paid.key } });
    expect(expectRecord(response)).to.have.property("city");
  });

  it("X-API-Key sent twice is malformed", async () => {
    const headers = { "X-API-Key": [paid.key, paid.key] };
    expectError(await deployment().send({ headers }), "malformed_key", deployment());
  });

  it("a key elsewhere is ignored: other names, body, cookie, path", async () => {
    for (const path of ["apikey", "api_key", "Key", "KEY", "access_token", "key[]"].map(
      (name) => `/v1/geo?${name}=${paid.key}`,
    ))
      expect(expectRecord(await deployment().send({ path })), path).to.deep.equal(RAINHAVEN_FREE);
    const headers = { Cookie: `key=${paid.key}`, "X-Key": paid.key, "Api-Key": paid.key };
    expect(expectRecord(await deployment().send({ headers }))).to.deep.equal(RAINHAVEN_FREE);
  });
});
