import { expect } from "chai";
import { decideOrigin, originOf, parseAllowlistEntry } from "./origin.ts";

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
    ["https://example.com:*", /leading labels/],
    ["https://*", /leading labels/],
    ["https://*example.com", /leading labels/],
    ["https://www.*.com", /leading labels/],
    ["https://*.*.example.com", /leading labels/],
    ["https://a*.example.com", /leading labels/],
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

  it("keeps a refused entry's echo short", () => {
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
    it(`of ${JSON.stringify(referer)} is ${origin}`, () => expect(originOf(referer)).to.equal(origin));
});

describe("the origin allowlist of a key", () => {
  const list = (...texts: string[]) =>
    texts.map((text) => {
      const parsed = parseAllowlistEntry(text);
      if ("reason" in parsed) throw new Error(parsed.reason);
      return parsed.entry;
    });

  const byOrigin: [entry: string, origin: string, allowed: boolean][] = [
    ["https://example.com", "https://example.com", true],
    ["https://example.com", "https://EXAMPLE.com", true],
    ["https://example.com", "HTTPS://example.com", true],
    ["https://example.com", "https://example.com:443", true],
    ["https://example.com", "http://example.com", false],
    ["https://example.com", "http://example.com:443", false],
    ["https://example.com", "https://example.com:8443", false],
    ["https://example.com", "https://www.example.com", false],
    ["https://example.com", "https://evilexample.com", false],
    ["https://example.com", "https://example.com.evil.example", false],
    ["https://example.com", "https://example.com.", false],
    ["https://example.com", "https://example.com/", false],
    ["https://example.com", "https://example.com/path", false],
    ["https://example.com", "https://example.com?x", false],
    ["https://example.com", "https://example.com#x", false],
    ["https://example.com", "https://user@example.com", false],
    ["https://example.com", "https://evil.example@example.com", false],
    ["https://example.com", "https://example.com:", false],
    ["https://example.com", "https://example.com https://evil.example", false],
    ["https://example.com", " https://example.com", false],
    ["https://example.com", "https://exa\tmple.com", false],
    ["https://example.com", "https:example.com", false],
    ["https://example.com", "https:\\\\example.com", false],
    ["https://example.com", "example.com", false],
    ["https://example.com", "null", false],
    ["https://example.com", "*", false],
    ["https://example.com", "\u0000", false],
    ["https://example.com:8443", "https://example.com:8443", true],
    ["https://example.com:8443", "https://example.com", false],
    ["https://bücher.example", "https://xn--bcher-kva.example", true],
    ["https://xn--bcher-kva.example", "https://bücher.example", true],
    ["http://[::1]:3000", "http://[::1]:3000", true],
    ["http://[::1]:3000", "http://[0:0:0:0:0:0:0:1]:3000", true],
    ["http://[::1]:3000", "http://[::1]:3001", false],
    ["http://127.0.0.1:3000", "http://localhost:3000", false],
    ["https://*.example.com", "https://www.example.com", true],
    ["https://*.example.com", "https://a.b.c.example.com", true],
    ["https://*.example.com", "https://WWW.Example.Com", true],
    ["https://*.example.com", "https://www.example.com:443", true],
    ["https://*.example.com", "https://example.com", false],
    ["https://*.example.com", "https://evilexample.com", false],
    ["https://*.example.com", "https://www.evilexample.com", false],
    ["https://*.example.com", "https://www.example.com.evil.example", false],
    ["https://*.example.com", "https://www.example.com.", false],
    ["https://*.example.com", "https://.example.com", false],
    ["https://*.example.com", "https://a..example.com", false],
    ["https://*.example.com", "https://*.example.com", false],
    ["https://*.example.com", "http://www.example.com", false],
    ["https://*.example.com", "https://www.example.com:8443", false],
    ["https://*.example.com", "https://x@www.example.com", false],
    ["https://*.example.com", "https://evil.example/.example.com", false],
    ["https://*.example.com", "https://evil.example#.example.com", false],
    ["https://*.example.com", "https://evil.example\\.example.com", false],
    ["https://*.example.com:8443", "https://www.example.com:8443", true],
    ["https://*.example.com:8443", "https://www.example.com", false],
    ["https://*.example.com:8443", "https://www.example.com:18443", false],
    ["capacitor://localhost", "capacitor://localhost", true],
    ["capacitor://localhost", "ionic://localhost", false],
    [
      "safari-web-extension://5f2b3c1a-0000-4000-8000-000000000001",
      "safari-web-extension://5F2B3C1A-0000-4000-8000-000000000001",
      true,
    ],
  ];
  for (const [entry, origin, allowed] of byOrigin)
    for (const kind of ["publishable", "secret"] as const)
      it(`${entry} ${allowed ? "allows" : "refuses"} ${JSON.stringify(origin)} with a ${kind} key`, () => {
        const decision = decideOrigin({ kind, origins: list(entry), origin, referer: null });
        expect(decision).to.deep.equal(allowed ? { allowed } : { allowed, refusedOrigin: origin });
      });

  const origins = list("https://example.com", "https://*.example.org");
  const REFERER = "https://app.example.org/page";
  const rest: [what: string, check: Parameters<typeof decideOrigin>[0], decision: ReturnType<typeof decideOrigin>][] = [
    [
      "an empty list allows any origin",
      { kind: "publishable", origins: [], origin: "https://evil.example", referer: null },
      { allowed: true },
    ],
    [
      "an empty list allows what is no origin",
      { kind: "publishable", origins: [], origin: "null", referer: null },
      { allowed: true },
    ],
    ["an empty list allows none", { kind: "publishable", origins: [], origin: null, referer: null }, { allowed: true }],
    [
      "any entry of the list suffices",
      { kind: "publishable", origins, origin: "https://a.example.org", referer: null },
      { allowed: true },
    ],
    [
      "a publishable key falls back to the Referer",
      { kind: "publishable", origins, origin: null, referer: REFERER },
      { allowed: true },
    ],
    [
      "an empty Origin counts as none",
      { kind: "publishable", origins, origin: "", referer: REFERER },
      { allowed: true },
    ],
    [
      "the Referer does not stand in for an Origin that was sent",
      { kind: "publishable", origins, origin: "https://evil.example", referer: REFERER },
      { allowed: false, refusedOrigin: "https://evil.example" },
    ],
    [
      "nor for a null one",
      { kind: "publishable", origins, origin: "null", referer: REFERER },
      { allowed: false, refusedOrigin: "null" },
    ],
    [
      "a refused Referer is named by its origin alone",
      { kind: "publishable", origins, origin: null, referer: "https://evil.example/secret-page?q=1" },
      { allowed: false, refusedOrigin: "https://evil.example" },
    ],
    [
      "a Referer that is no URL is none",
      { kind: "publishable", origins, origin: null, referer: "garbage" },
      { allowed: false, refusedOrigin: null },
    ],
    [
      "a publishable key without both is refused",
      { kind: "publishable", origins, origin: null, referer: null },
      { allowed: false, refusedOrigin: null },
    ],
    [
      "a secret key without Origin is allowed",
      { kind: "secret", origins, origin: null, referer: null },
      { allowed: true },
    ],
    [
      "whatever its Referer",
      { kind: "secret", origins, origin: null, referer: "https://evil.example/" },
      { allowed: true },
    ],
  ];
  for (const [what, check, decision] of rest) it(what, () => expect(decideOrigin(check)).to.deep.equal(decision));
});
