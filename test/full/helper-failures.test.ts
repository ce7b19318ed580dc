import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { locateIn } from "../harness/browser/locate.ts";
import { type OtherOrigin, startOtherOrigin } from "../harness/browser/other-origin.ts";
import { inBrowser } from "../harness/browser/site.ts";
import { visit } from "../harness/browser/visit.ts";

const RECORD = '{"country":"US","countryName":"United States","continent":"NA"}';

/** What an API can do with a request. */
const respond: RequestListener = (_req, res) => {
  res.writeHead(200, { "Access-Control-Allow-Origin": "*", "Content-Type": "application/json" }).end(RECORD);
};
/** @param ageSeconds the age that a cache along the way reports. */
const respondWithAge =
  (ageSeconds: number): RequestListener =>
  (_req, res) => {
    const caching = { "Cache-Control": "private, max-age=300", Age: String(ageSeconds) };
    res.writeHead(200, { "Access-Control-Allow-Origin": "*", ...caching }).end(RECORD);
  };
const respondWithHtml: RequestListener = (_req, res) => {
  res.writeHead(502, { "Access-Control-Allow-Origin": "*", "Content-Type": "text/html" }).end("<h1>Bad gateway</h1>");
};
const resetConnection: RequestListener = (req) => void req.socket.resetAndDestroy();
const truncate: RequestListener = (_req, res) => {
  res.writeHead(200, { "Access-Control-Allow-Origin": "*", "Content-Length": "1000" });
  res.write(RECORD.slice(0, 20), () => res.destroy());
};
const staySilent: RequestListener = () => {};

inBrowser("the browser helper, by the API's response", (site) => {
  let shop: OtherOrigin;
  let api: Server;
  let url: string;
  let script: RequestListener[] = [];
  let received = 0;

  before(async () => {
    shop = await startOtherOrigin("shop.test");
    api = createServer((req, res) => {
      received += 1;
      (script.shift() ?? resetConnection)(req, res);
    });
    api.listen(0, "127.0.0.1");
    await once(api, "listening");
    url = `http://api.test:${(api.address() as AddressInfo).port}`;
  });
  after(async () => {
    await shop?.[Symbol.asyncDispose]();
    api?.close();
    api?.closeAllConnections();
  });

  /** Calls `locate` on an API that handles the next requests like this, in order. */
  const locate = (handlers: readonly RequestListener[], options: object = {}) => {
    script = [...handlers];
    received = 0;
    return visit({ origins: [shop.origin, site().docsUrl, url] }, async (page) => {
      await page.goto(shop.origin);
      return locateIn(page, `${site().docsUrl}/geolookup.js`, { url, ...options });
    });
  };

  it("retries once when the connection is reset", async () => {
    expect((await locate([resetConnection, respond])).record).to.deep.equal(JSON.parse(RECORD));
    expect(received).to.equal(2);
  });

  it("retries once when the response is truncated", async () => {
    expect((await locate([truncate, respond])).record).to.deep.equal(JSON.parse(RECORD));
    expect(received).to.equal(2);
  });

  it("gives up after the second failure", async () => {
    const { error } = await locate([resetConnection, resetConnection, respond]);
    expect(error).to.include({ name: "GeolookupError", code: "network", status: null, docs: null });
    expect(error?.message).to.include(url);
    expect(received).to.equal(2);
  });

  it("times out without a retry", async () => {
    const { error } = await locate([staySilent, respond], { timeoutMs: 300 });
    expect(error).to.include({ name: "GeolookupError", code: "timeout", status: null });
    expect(received).to.equal(1);
  });

  it("distinguishes responses of other servers from the service's errors", async () => {
    const { error } = await locate([respondWithHtml, respond]);
    expect(error).to.include({ name: "GeolookupError", code: "unreadable", status: 502, docs: null });
    expect(received).to.equal(1);
  });

  it("stops immediately when it is aborted, with the reason of the signal", async () => {
    script = [staySilent, respond];
    received = 0;
    const reason = await visit({ origins: [shop.origin, site().docsUrl, url] }, async (page) => {
      await page.goto(shop.origin);
      return page.evaluate(
        async ([helper, url]) => {
          const { locate } = await import(String(helper));
          const controller = new AbortController();
          setTimeout(() => controller.abort("changed my mind"), 50);
          return locate({ url, signal: controller.signal, timeoutMs: 60_000 }).catch((error: unknown) => error);
        },
        [`${site().docsUrl}/geolookup.js`, url],
      );
    });
    expect(reason).to.equal("changed my mind");
    expect(received).to.be.at.most(1);
  });

  for (const [ageSeconds, times] of [
    [0, 1],
    [240, 1],
    [300, 2],
  ] as const)
    it(`${times === 1 ? "uses the cache" : "sends another request"} when the last response is ${ageSeconds} s old, with a max-age of 300`, async () => {
      script = [respondWithAge(ageSeconds), respondWithAge(ageSeconds)];
      received = 0;
      await visit({ origins: [shop.origin, site().docsUrl, url] }, async (page) => {
        await page.goto(shop.origin);
        for (let count = 0; count < 2; count += 1) {
          const { record } = await locateIn(page, `${site().docsUrl}/geolookup.js`, { url });
          expect(record).to.deep.equal(JSON.parse(RECORD));
        }
      });
      expect(received).to.equal(times);
    });

  it("rejects invalid options with a TypeError that names the option", async () => {
    const invalid: readonly [option: string, values: readonly unknown[]][] = [
      [
        "url",
        [
          "",
          null,
          "/v1/geo",
          "ftp://api.test",
          "http://",
          "http://api.test/?a=1",
          "http://api.test#a",
          "http://a@api.test",
        ],
      ],
      ["fields", ["ip", [], null, { ip: true }]],
      ["timeoutMs", [Number.POSITIVE_INFINITY, Number.NaN, -1, 0, 2 ** 31, null, "soon"]],
    ];
    received = 0;
    await visit({ origins: [shop.origin, site().docsUrl, url] }, async (page) => {
      await page.goto(shop.origin);
      for (const [option, values] of invalid)
        for (const value of values) {
          const { error } = await locateIn(page, `${site().docsUrl}/geolookup.js`, { url, [option]: value });
          expect(error, `${option} ${value}`).to.include({ name: "TypeError" });
          expect(error?.message, `${option} ${value}`)
            .to.match(/^locate\(\)/)
            .and.to.include(option);
        }
      script = [respond];
      const { record } = await locateIn(page, `${site().docsUrl}/geolookup.js`, {
        url: `${url}//`,
        timeoutMs: 20_000.5,
      });
      expect(record).to.deep.equal(JSON.parse(RECORD));
    });
    expect(received).to.equal(1);
  });
});
