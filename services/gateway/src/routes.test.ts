import { expect } from "chai";
import type { RequestHead } from "./request/exchange.ts";
import { docsHostMatcher, matchRoute } from "./routes.ts";

const handlerOf = (method: string, url: string, isDocsHost = false) =>
  matchRoute({ method, url } as RequestHead, isDocsHost).handler;

describe("matchRoute", () => {
  for (const [method, url, handler] of [
    ["GET", "/v1/geo", "lookup"],
    ["HEAD", "/v1/geo?key=a&fields=b", "lookup"],
    ["GET", "/v1/geo?", "lookup"],
    ["GET", "/v1/geo??/", "lookup"],
    ["GET", "/", "lookup"],
    ["HEAD", "/?key=a", "lookup"],
    ["OPTIONS", "/anything", "preflight"],
    ["OPTIONS", "*", "preflight"],
    ["GET", "/v1/geo/", "notFound"],
    ["GET", "//", "notFound"],
    ["GET", "/V1/geo", "notFound"],
    ["GET", "/v1/ge%6F", "notFound"],
    ["GET", "/v1/geo\u00a0", "notFound"],
    ["GET", "/v1/geo%3Fkey=a", "notFound"],
    ["GET", "/v1/geo?key=a#b", "notFound"],
    ["POST", "/v1/geo", "notFound"],
    ["get", "/v1/geo", "notFound"],
    ["GET", "*", "notFound"],
  ] as const)
    it(`${method} ${JSON.stringify(url)}: ${handler}`, () => expect(handlerOf(method, url)).to.equal(handler));

  for (const [method, url, handler] of [
    ["GET", "/", "portal"],
    ["POST", "/v1/geo?key=a", "portal"],
    ["OPTIONS", "/", "preflight"],
    ["GET", "*", "notFound"],
    ["GET", "/docs#errors", "notFound"],
  ] as const)
    it(`${method} ${JSON.stringify(url)} on the docs host: ${handler}`, () =>
      expect(handlerOf(method, url, true)).to.equal(handler));
});

describe("docsHostMatcher", () => {
  for (const [docsUrl, host, isDocs] of [
    ["http://docs.localhost:8080", "docs.localhost:8080", true],
    ["http://docs.localhost:8080", "DOCS.localhost:8080", true],
    ["http://docs.localhost:8080", "docs.localhost", false],
    ["https://docs.example.com:8443", "docs.example.com", true],
    ["https://docs.example.com:8443", "docs.example.com:443", false],
    // The API may be at https://example.com.
    ["https://example.com:8443", "example.com", false],
    ["http://docs.localhost:8080", "localhost:8080", false],
    ["https://docs.example.com", "docs.example.com", true],
    ["https://docs.example.com", "docs.example.com:443", true],
    ["https://docs.example.com", "docs.example.com:80", false],
    ["https://docs.example.com", "docs.example.com.evil.test", false],
    ["https://docs.example.com", "xdocs.example.com", false],
    ["http://docs.example.com", "docs.example.com:80", true],
    ["http://docs.localhost:8080", "docs.localhost.:8080", true],
    ["https://docs.example.com:8443", "docs.example.com.", true],
    ["https://docs.example.com", "docs.example.com.:443", true],
    ["https://docs.example.com", "docs.example.com..", false],
    ["https://docs.example.com", "docs.example.com:443.", false],
    ["http://docs.example.com", undefined, false],
  ] as const) {
    it(`${host} is ${isDocs ? "" : "not "}the host of ${docsUrl}`, () => {
      const req = { headers: host === undefined ? {} : { host } } as RequestHead;
      expect(docsHostMatcher(() => docsUrl)(req)).to.equal(isDocs);
    });
  }
});
