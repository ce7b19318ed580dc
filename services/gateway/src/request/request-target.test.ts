import type { IncomingMessage } from "node:http";
import { expect } from "chai";
import { operationOf, toOriginForm } from "./request-target.ts";

describe("toOriginForm", () => {
  for (const [target, url, host] of [
    ["/v1/geo?key=a", "/v1/geo?key=a", "sent.test"],
    ["http://other.test/v1/geo?key=a", "/v1/geo?key=a", "other.test"],
    ["HTTP://other.test:81", "/", "other.test:81"],
    ["http://other.test?key=a", "/?key=a", "other.test"],
    ["*", "*", "sent.test"],
    ["ftp://other.test/", "ftp://other.test/", "sent.test"],
  ] as const) {
    it(`${target} becomes ${url} for ${host}`, () => {
      const req = { url: target, headers: { host: "sent.test" } } as IncomingMessage;
      toOriginForm(req);
      expect({ url: req.url, host: req.headers.host }).to.deep.equal({ url, host });
    });
  }
});

describe("operationOf", () => {
  for (const [method, url, operation] of [
    ["GET", "/v1/geo", "/v1/geo"],
    ["HEAD", "/v1/geo?key=a&fields=b", "/v1/geo"],
    ["GET", "/v1/geo?", "/v1/geo"],
    ["GET", "/v1/geo??/", "/v1/geo"],
    ["GET", "/", "/"],
    ["HEAD", "/?key=a", "/"],
    ["GET", "/v1/geo/", null],
    ["GET", "//", null],
    ["GET", "/V1/geo", null],
    ["GET", "/v1/ge%6F", null],
    ["GET", "/v1/geo\u00a0", null],
    ["GET", "/v1/geo%3Fkey=a", null],
    ["POST", "/v1/geo", null],
    ["get", "/v1/geo", null],
    ["GET", "*", null],
  ] as const) {
    it(`${method} ${JSON.stringify(url)} asks for ${operation ?? "something else"}`, () => {
      expect(operationOf({ method, url } as IncomingMessage)).to.equal(operation);
    });
  }
});
