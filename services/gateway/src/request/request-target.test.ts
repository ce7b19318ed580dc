import type { IncomingMessage } from "node:http";
import { expect } from "chai";
import { toOriginForm } from "./request-target.ts";

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
