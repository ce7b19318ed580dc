import { expect } from "chai";
import type { RequestHead } from "./request/exchange.ts";
import { matchRoute } from "./routes.ts";

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
