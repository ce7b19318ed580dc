import { expect } from "chai";
import type { RequestHead } from "../request/exchange.ts";
import { docsHostMatcher } from "./docs-host.ts";

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
