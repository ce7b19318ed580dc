import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { locateIn } from "../harness/browser/locate.ts";
import { type OtherOrigin, startOtherOrigin } from "../harness/browser/other-origin.ts";
import { inBrowser } from "../harness/browser/site.ts";
import { visit } from "../harness/browser/visit.ts";

const RECORD = '{"country":"US","countryName":"United States","continent":"NA"}';

/** What an API may do to a request. */
const answer: RequestListener = (_req, res) => {
  res.writeHead(200, { "Access-Control-Allow-Origin": "*", "Content-Type": "application/json" }).end(RECORD);
};
/** @param ageSeconds since it was made, as a cache on the way tells. */
const answerOfAge =
  (ageSeconds: number): RequestListener =>
  (_req, res) => {
    const caching = { "Cache-Control": "private, max-age=300", Age: String(ageSeconds) };
    res.writeHead(200, { "Access-Control-Allow-Origin": "*", ...caching }).end(RECORD);
  };
const answerHtml: RequestListener = (_req, res) => {
  res.writeHead(502, { "Access-Control-Allow-Origin": "*", "Content-Type": "text/html" }).end("<h1>Bad gateway</h1>");
};
const hangUp: RequestListener = (req) => void req.socket.resetAndDestroy();
const breakOff: RequestListener = (_req, res) => {
  res.writeHead(200, { "Access-Control-Allow-Origin": "*", "Content-Length": "1000" });
  res.write(RECORD.slice(0, 20), () => res.destroy());
};
const staySilent: RequestListener = () => {};

inBrowser("the browser helper, by what an API answers", (site) => {
  let shop: OtherOrigin;
  let api: Server;
  let url: string;
  let script: RequestListener[] = [];
  let asked = 0;

  before(async () => {
    shop = await startOtherOrigin("shop.test");
    api = createServer((req, res) => {
      asked += 1;
      (script.shift() ?? hangUp)(req, res);
    });
    api.listen(0, "127.0.0.1");
    await once(api, "listening");
    url = `http://api.test:${(api.address() as AddressInfo).port}`;
  });
  after(async () => {
    await shop?.close();
    api?.close();
    api?.closeAllConnections();
  });

  /** Calls `locate` against an API that meets the requests to come so, one after another. */
  const locate = (meeting: readonly RequestListener[], options: object = {}) => {
    script = [...meeting];
    asked = 0;
    return visit({ origins: [shop.origin, site().docsUrl, url] }, async (page) => {
      await page.goto(shop.origin);
      return locateIn(page, `${site().docsUrl}/geolookup.js`, { url, ...options });
    });
  };

  it("tries once more when the connection breaks", async () => {
    expect((await locate([hangUp, answer])).record).to.deep.equal(JSON.parse(RECORD));
    expect(asked).to.equal(2);
  });

  it("tries once more when an answer breaks off", async () => {
    expect((await locate([breakOff, answer])).record).to.deep.equal(JSON.parse(RECORD));
    expect(asked).to.equal(2);
  });

  it("gives up after the second failure", async () => {
    const { error } = await locate([hangUp, hangUp, answer]);
    expect(error).to.include({ name: "GeolookupError", code: "network", status: null, docs: null });
    expect(error?.message).to.include(url);
    expect(asked).to.equal(2);
  });

  it("waits no longer than it is told to, and asks no second time then", async () => {
    const { error } = await locate([staySilent, answer], { timeoutMs: 300 });
    expect(error).to.include({ name: "GeolookupError", code: "timeout", status: null });
    expect(asked).to.equal(1);
  });

  it("tells an answer that is not the service's from the service's errors", async () => {
    const { error } = await locate([answerHtml, answer]);
    expect(error).to.include({ name: "GeolookupError", code: "unreadable", status: 502, docs: null });
    expect(asked).to.equal(1);
  });

  it("ends at once when its caller ends it, with the caller's own reason", async () => {
    script = [staySilent, answer];
    asked = 0;
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
    expect(asked).to.be.at.most(1);
  });

  for (const [ageSeconds, times] of [
    [0, 1],
    [240, 1],
    [300, 2],
  ] as const)
    it(`asks ${times === 1 ? "once" : "again"} when its last answer is ${ageSeconds} s old and may be kept for 300`, async () => {
      script = [answerOfAge(ageSeconds), answerOfAge(ageSeconds)];
      asked = 0;
      await visit({ origins: [shop.origin, site().docsUrl, url] }, async (page) => {
        await page.goto(shop.origin);
        for (let count = 0; count < 2; count += 1) {
          const { record } = await locateIn(page, `${site().docsUrl}/geolookup.js`, { url });
          expect(record).to.deep.equal(JSON.parse(RECORD));
        }
      });
      expect(asked).to.equal(times);
    });

  it("says what it needs when it knows no API, as the package does not, or is told what it cannot use", async () => {
    const refused: readonly [option: string, values: readonly unknown[]][] = [
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
    asked = 0;
    await visit({ origins: [shop.origin, site().docsUrl, url] }, async (page) => {
      await page.goto(shop.origin);
      for (const [option, values] of refused)
        for (const value of values) {
          const { error } = await locateIn(page, `${site().docsUrl}/geolookup.js`, { url, [option]: value });
          expect(error, `${option} ${value}`).to.include({ name: "TypeError" });
          expect(error?.message, `${option} ${value}`)
            .to.match(/^locate\(\)/)
            .and.to.include(option);
        }
      script = [answer];
      const { record } = await locateIn(page, `${site().docsUrl}/geolookup.js`, {
        url: `${url}//`,
        timeoutMs: 20_000.5,
      });
      expect(record).to.deep.equal(JSON.parse(RECORD));
    });
    expect(asked).to.equal(1);
  });
});
