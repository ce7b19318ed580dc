import { expect } from "chai";
import { RAINHAVEN_RECORD } from "../fixtures/places.ts";
import { freshIpv4 } from "../harness/addresses.ts";
import type { IssuedKey } from "../harness/deployment.ts";
import { expectError, expectRecord } from "../harness/expect-response.ts";
import { keyed } from "../harness/slots.ts";
import { onEveryDeployment } from "../harness/suite.ts";

onEveryDeployment("contract 1 and 4: the operation", (deployment) => {
  let paid: IssuedKey;
  before(async () => {
    paid = await deployment().sharedKey();
  });

  it("the address that is looked up is the caller's own: no address is sent as a parameter", async () => {
    const from = freshIpv4();
    const query = "&ip=51.7.0.9&address=51.7.0.9&q=51.7.0.9";
    expect(expectRecord(await deployment().send({ ...keyed(paid.key, query), from }))).to.include({ ip: from });
    const path = `/v1/geo/51.7.0.9?key=${paid.key}`;
    expectError(await deployment().send({ path, from }), "not_found", deployment());
  });

  it("/ is an alias of the operation", async () => {
    const from = freshIpv4();
    const aliased = expectRecord(await deployment().send({ path: `/?key=${paid.key}`, from }));
    expect(aliased).to.deep.equal({ ip: from, ...RAINHAVEN_RECORD });
    expect(expectRecord(await deployment().send({ path: "/?fields=country" }))).to.deep.equal({ country: "US" });
    expect(expectRecord(await deployment().send({ path: "/" }))).to.have.property("country", "US");
  });

  it("the alias shares the hourly limit of the operation", async () => {
    const from = freshIpv4();
    const first = await deployment().send({ path: "/", from });
    const second = await deployment().send({ path: "/v1/geo", from });
    expect(first.headers["x-ratelimit-remaining"]).to.equal("59");
    expect(second.headers["x-ratelimit-remaining"]).to.equal("58");
  });

  it("HEAD gets the response of GET, without the body", async () => {
    const from = freshIpv4();
    for (const path of [`/v1/geo?key=${paid.key}`, `/?key=${paid.key}&fields=city`]) {
      const get = await deployment().send({ path, from });
      const head = await deployment().send({ path, from, method: "HEAD" });
      expect(head.status).to.equal(200);
      expect(head.text).to.equal("");
      for (const name of ["content-type", "content-length", "cache-control", "vary", "x-ratelimit-limit"])
        expect(head.headers[name], name).to.equal(get.headers[name]);
      expect(head.headers["access-control-allow-origin"]).to.equal("*");
    }
    const refused = await deployment().send({ path: "/nowhere", method: "HEAD" });
    expect([refused.status, refused.text]).to.deep.equal([404, ""]);
    expect(refused.headers["access-control-allow-origin"]).to.equal("*");
  });

  it("the request has no body: one that is sent is ignored", async () => {
    const body = JSON.stringify({ ip: "51.7.0.9", fields: "city" });
    const headers = { "Content-Type": "application/json" };
    const from = freshIpv4();
    const record = expectRecord(await deployment().send({ ...keyed(paid.key), headers, body, from }));
    expect(record).to.deep.equal({ ip: from, ...RAINHAVEN_RECORD });
  });

  it("there is no POST, and no other method but GET, HEAD and OPTIONS", async () => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "LINK", "SEARCH", "QUERY", "PURGE"])
      for (const path of ["/v1/geo", "/", `/v1/geo?key=${paid.key}`]) {
        const message = expectError(await deployment().send({ method, path }), "not_found", deployment());
        expect(message, method).to.include(method);
        expect(message).to.not.include(paid.key);
      }
  });
});
