import { expect } from "chai";
import { Agent, interceptors, request } from "undici";
import { RAINHAVEN_FREE } from "../fixtures/places.ts";
import type { IssuedKey } from "../harness/deployment.ts";
import { expectError, expectRecord, varyOf } from "../harness/expect-response.ts";
import { trust } from "../harness/http.ts";
import { keyed, SLOTS } from "../harness/slots.ts";
import { onEveryDeployment } from "../harness/suite.ts";

onEveryDeployment("contract 4.1: response headers", (deployment) => {
  let paid: IssuedKey;
  before(async () => {
    paid = await deployment().sharedKey();
  });

  it("a 200 has Cache-Control: private, max-age=300 and Vary, however the request is sent", async () => {
    for (const sent of [{}, { from: null }, { path: "/" }, ...SLOTS.map((slot) => slot.with(paid.key))]) {
      const response = await deployment().send(sent);
      expectRecord(response);
      expect(varyOf(response)).to.have.members(["origin", "authorization", "x-api-key", "x-forwarded-for"]);
    }
  });

  it("an HTTP cache in a back end gives each visitor their own record", async () => {
    const { key } = await deployment().sharedKey({ kind: "secret", forward: true });
    const connect = trust("127.0.0.1");
    await using opened = new AsyncDisposableStack();
    const client = opened.adopt(new Agent({ connect }), (agent) => agent.close());
    const dispatcher = client.compose(interceptors.cache({ type: "private" }));
    const lookup = async (visitor: string | null) => {
      const headers = visitor === null ? {} : { "x-forwarded-for": visitor };
      const url = `${deployment().url}/v1/geo?key=${key}`;
      const { body, headers: received } = await request(url, { dispatcher, headers });
      return { ip: ((await body.json()) as { ip: string }).ip, isCached: received.age !== undefined };
    };
    const visitors = [null, "44.1.2.3", "51.7.0.9"].map((visitor) => [visitor, visitor ?? deployment().peer] as const);
    for (const isCached of [false, true])
      for (const [visitor, ip] of visitors) expect(await lookup(visitor)).to.deep.equal({ ip, isCached });
  });

  it("never 304: conditional requests get the full response", async () => {
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

  it("there is one representation: Accept and Accept-Encoding have no effect", async () => {
    for (const headers of [
      { Accept: "text/html" },
      { Accept: "application/xml;q=1, */*;q=0" },
      { "Accept-Encoding": "gzip, br" },
      { "Accept-Language": "de" },
    ] as Record<string, string>[]) {
      const response = await deployment().send({ headers });
      expect(response.headers).to.not.have.property("content-encoding");
      expect(expectRecord(response)).to.deep.equal(RAINHAVEN_FREE);
    }
  });

  it("errors have no-store, and X-RateLimit-* only if a limit was checked", async () => {
    for (const [code, sent] of [
      ["not_found", { path: "/nowhere" }],
      ["missing_key", keyed("")],
      ["malformed_key", keyed("nonsense")],
    ] as const) {
      const response = await deployment().send(sent);
      expectError(response, code, deployment());
      expect(response.headers).to.not.have.property("x-ratelimit-limit");
      expect(response.headers).to.not.have.property("retry-after");
    }
  });

  it("has Content-Length and Date", async () => {
    const response = await deployment().send(keyed(paid.key));
    expect(Number(response.headers["content-length"])).to.equal(Buffer.byteLength(response.text));
    expect(Date.parse(String(response.headers.date))).to.be.within(Date.now() - 5_000, Date.now() + 5_000);
  });
});
