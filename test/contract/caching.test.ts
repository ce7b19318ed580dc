import { expect } from "chai";
import { RAINHAVEN_FREE } from "../fixtures/places.ts";
import type { IssuedKey } from "../harness/deployment.ts";
import { expectError, expectRecord, varyOf } from "../harness/expect-response.ts";
import { keyed, SLOTS } from "../harness/slots.ts";
import { onEveryDeployment } from "../harness/suite.ts";

onEveryDeployment("contract 4.1 and design 4: response headers", (deployment) => {
  let paid: IssuedKey;
  before(async () => {
    paid = await deployment().sharedKey();
  });

  it("a 200 carries Cache-Control: private, max-age=300 and says what it varies by, however it was asked", async () => {
    for (const sent of [{}, { path: "/" }, ...SLOTS.map((slot) => slot.with(paid.key))]) {
      const answer = await deployment().send(sent);
      expectRecord(answer);
      expect(varyOf(answer)).to.have.members(["origin", "authorization", "x-api-key"]);
    }
  });

  it("never 304: conditional requests get the whole answer", async () => {
    for (const headers of [
      { "If-None-Match": "*" },
      { "If-None-Match": '"anything"' },
      { "If-None-Match": 'W/"2-abc"' },
      { "If-Modified-Since": new Date(Date.now() + 86_400_000).toUTCString() },
      { "If-Modified-Since": "nonsense" },
      { "If-Match": '"anything"' },
      { "If-Unmodified-Since": new Date(0).toUTCString() },
      { Range: "bytes=0-1" },
      { "If-Range": '"anything"', Range: "bytes=0-1" },
      { "Cache-Control": "only-if-cached" },
    ] as Record<string, string>[])
      expect(expectRecord(await deployment().send({ headers })), JSON.stringify(headers)).to.deep.equal(RAINHAVEN_FREE);
    const head = await deployment().send({ method: "HEAD", headers: { "If-None-Match": "*" } });
    expect(head.status).to.equal(200);
  });

  it("there is one representation: Accept and Accept-Encoding change nothing", async () => {
    for (const headers of [
      { Accept: "text/html" },
      { Accept: "application/xml;q=1, */*;q=0" },
      { "Accept-Encoding": "gzip, br" },
      { "Accept-Language": "de" },
    ] as Record<string, string>[]) {
      const answer = await deployment().send({ headers });
      expect(answer.headers).to.not.have.property("content-encoding");
      expect(expectRecord(answer)).to.deep.equal(RAINHAVEN_FREE);
    }
  });

  it("errors carry no-store, and X-RateLimit-* only where a limit was met", async () => {
    for (const [code, sent] of [
      ["not_found", { path: "/nowhere" }],
      ["missing_key", keyed("")],
      ["malformed_key", keyed("nonsense")],
    ] as const) {
      const answer = await deployment().send(sent);
      expectError(answer, code, deployment());
      expect(answer.headers).to.not.have.property("x-ratelimit-limit");
      expect(answer.headers).to.not.have.property("retry-after");
    }
  });

  it("names the length of its body and the date", async () => {
    const answer = await deployment().send(keyed(paid.key));
    expect(Number(answer.headers["content-length"])).to.equal(Buffer.byteLength(answer.text));
    expect(Date.parse(String(answer.headers.date))).to.be.within(Date.now() - 5_000, Date.now() + 5_000);
  });
});
