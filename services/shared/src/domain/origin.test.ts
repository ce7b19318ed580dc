import { expect } from "chai";
import { parseAllowlistEntry, refererOrigin } from "./origin.ts";

describe("an entry of an origin allowlist", () => {
  // The normal forms are those of the WHATWG URL standard (host parsing, default ports) and RFC 3492.
  const accepted: [text: string, entry: string][] = [
    ["https://example.com", "https://example.com"],
    ["http://example.com", "http://example.com"],
    ["  https://example.com  ", "https://example.com"],
    ["HTTPS://Example.COM", "https://example.com"],
    ["https://example.com:443", "https://example.com"],
    ["http://example.com:80", "http://example.com"],
    ["http://example.com:443", "http://example.com:443"],
    ["https://example.com:80", "https://example.com:80"],
    ["https://example.com:08443", "https://example.com:8443"],
    ["https://example.com.", "https://example.com."],
    ["https://bücher.example", "https://xn--bcher-kva.example"],
    ["https://BÜCHER.example", "https://xn--bcher-kva.example"],
    ["https://xn--bcher-kva.example", "https://xn--bcher-kva.example"],
    ["https://例え.テスト", "https://xn--r8jz45g.xn--zckzah"],
    ["https://a_b.example", "https://a_b.example"],
    ["http://localhost:3000", "http://localhost:3000"],
    ["http://127.0.0.1:3000", "http://127.0.0.1:3000"],
    ["http://[::1]:3000", "http://[::1]:3000"],
    ["http://[2001:DB8:0::1]", "http://[2001:db8::1]"],
    ["https://*.example.com", "https://*.example.com"],
    ["https://*.Example.com:8443", "https://*.example.com:8443"],
    ["https://*.example.com:443", "https://*.example.com"],
    ["https://*.bücher.example", "https://*.xn--bcher-kva.example"],
    ["http://*.localhost:3000", "http://*.localhost:3000"],
    ["chrome-extension://abcdefghijklmnopabcdefghijklmnop", "chrome-extension://abcdefghijklmnopabcdefghijklmnop"],
    ["moz-extension://5F2B3C1A-0000-4000-8000-000000000001", "moz-extension://5f2b3c1a-0000-4000-8000-000000000001"],
    ["capacitor://localhost", "capacitor://localhost"],
  ];
  for (const [text, entry] of accepted)
    it(`accepts ${text}`, () => expect(parseAllowlistEntry(text)).to.deep.equal({ entry }));

  const refused: [text: string, why: RegExp][] = [
    ["", /empty/],
    ["   ", /empty/],
    ["null", /sandboxed/],
    ["NULL", /sandboxed/],
    ["*", /leave the list empty/],
    ["example.com", /scheme/],
    ["//example.com", /scheme/],
    ["https:example.com", /scheme/],
    ["https:/example.com", /scheme/],
    ["htps://example.com", /one of http, https/],
    ["file:///home", /one of http, https/],
    ["javascript://example.com", /one of http, https/],
    ["*://example.com", /scheme/],
    ["https://", /host/],
    ["https://example.com/", /path/],
    ["https://example.com/app", /path/],
    ["https://example.com?a=1", /query/],
    ["https://example.com#top", /fragment/],
    ["https://example.com\\evil", /path/],
    ["https://user@example.com", /user name/],
    ["https://user:word@example.com", /user name/],
    ["https://@example.com", /user name/],
    ["https://example.com:", /port/],
    ["https://example.com:port", /port/],
    ["https://example.com:65536", /port/],
    ["https://example.com:*", /first label/],
    ["https://*", /first label/],
    ["https://*example.com", /first label/],
    ["https://www.*.com", /first label/],
    ["https://*.*.example.com", /first label/],
    ["https://a*.example.com", /first label/],
    ["https://*.", /host/],
    ["https://*.192.0.2.1", /IP address/],
    ["https://*.[::1]", /IP address/],
    ["https://.example.com", /host/],
    ["https://a..example.com", /host/],
    ["https://example.com..", /host/],
    ["https://exam ple.com", /host/],
    ["https://exam\tple.com", /host/],
    ["https://exam\u0000ple.com", /host/],
    ["https://ex%61mple.com", /host/],
    ["https://[::1", /host/],
    ["https://[fe80::1%25eth0]", /host/],
    ["https://300.1.1.1", /host/],
    ["https://a.example,https://b.example", /path/],
    [`https://${"a".repeat(500)}.example`, /longer/],
    [`https://${"a.".repeat(130)}example`, /host/],
  ];
  for (const [text, why] of refused)
    it(`refuses ${JSON.stringify(text.slice(0, 50))}`, () => {
      const parsed = parseAllowlistEntry(text);
      expect("reason" in parsed ? parsed.reason : parsed).to.match(why);
    });

  it("truncates a refused entry in the message", () => {
    const parsed = parseAllowlistEntry("x".repeat(100_000));
    expect("reason" in parsed ? parsed.reason.length : 0).to.be.within(1, 250);
  });
});

describe("the origin of a Referer", () => {
  const cases: [referer: string, origin: string | null][] = [
    ["https://example.com/page?x=1#y", "https://example.com"],
    ["https://example.com", "https://example.com"],
    ["https://Example.com:443/", "https://example.com"],
    ["http://example.com:8080/a", "http://example.com:8080"],
    ["https://example.com@evil.example/", "https://evil.example"],
    ["https://bücher.example/", "https://xn--bcher-kva.example"],
    ["http://[::1]:3000/", "http://[::1]:3000"],
    [
      "chrome-extension://abcdefghijklmnopabcdefghijklmnop/popup.html",
      "chrome-extension://abcdefghijklmnopabcdefghijklmnop",
    ],
    ["about:blank", null],
    ["data:text/html,x", null],
    ["file:///home/x.html", null],
    ["/page", null],
    ["example.com/page", null],
    ["https:example.com", null],
    ["https://", null],
    ["", null],
    ["\u0000", null],
  ];
  for (const [referer, origin] of cases)
    it(`of ${JSON.stringify(referer)} is ${origin}`, () => expect(refererOrigin(referer)).to.equal(origin));
});
