import { expect } from "chai";
import { decideOrigin, parseAllowlistEntry } from "./origin.ts";

describe("the origin allowlist of a key", () => {
  const list = (...texts: string[]) =>
    texts.map((text) => {
      const parsed = parseAllowlistEntry(text);
      if ("reason" in parsed) throw new Error(parsed.reason);
      return parsed.entry;
    });

  const byOrigin: [entry: string, origin: string, allowed: boolean][] = [
    ["https://example.com", "https://example.com", true],
    ["https://example.com", "HTTPS://example.com", true],
    ["https://example.com", "https://example.com:443", true],
    ["https://example.com", "http://example.com", false],
    ["https://example.com", "https://example.com:8443", false],
    ["https://example.com", "https://evilexample.com", false],
    ["https://example.com", "https://example.com.evil.example", false],
    ["https://example.com", "https://example.com/", false],
    ["https://example.com", "https://example.com/path", false],
    ["https://example.com", "https://evil.example@example.com", false],
    ["https://example.com", "https://example.com:", false],
    ["https://example.com", "https://example.com https://evil.example", false],
    ["https://example.com", "https://exa\tmple.com", false],
    ["https://example.com", "https:\\\\example.com", false],
    ["https://example.com", "example.com", false],
    ["https://example.com", "null", false],
    ["https://example.com", "*", false],
    ["https://example.com:8443", "https://example.com:8443", true],
    ["https://bücher.example", "https://xn--bcher-kva.example", true],
    ["https://xn--bcher-kva.example", "https://bücher.example", true],
    ["http://[::1]:3000", "http://[::1]:3000", true],
    ["http://[::1]:3000", "http://[0:0:0:0:0:0:0:1]:3000", true],
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
      "a publishable key falls back to the Referer",
      { kind: "publishable", origins, origin: null, referer: REFERER },
      { allowed: true },
    ],
    [
      "an empty Origin counts as missing",
      { kind: "publishable", origins, origin: "", referer: REFERER },
      { allowed: true },
    ],
    [
      "the Referer is ignored if an Origin was sent",
      { kind: "publishable", origins, origin: "https://evil.example", referer: REFERER },
      { allowed: false, refusedOrigin: "https://evil.example" },
    ],
    [
      "a refused Referer is reported by its origin only",
      { kind: "publishable", origins, origin: null, referer: "https://evil.example/secret-page?q=1" },
      { allowed: false, refusedOrigin: "https://evil.example" },
    ],
    [
      "a secret key without Origin is allowed",
      { kind: "secret", origins, origin: null, referer: null },
      { allowed: true },
    ],
  ];
  for (const [what, check, decision] of rest) it(what, () => expect(decideOrigin(check)).to.deep.equal(decision));
});
