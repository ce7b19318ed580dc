import type { Grant } from "@geolookup/shared/domain/authorize.ts";
import { FIELDS } from "@geolookup/shared/domain/record.ts";
import { createCallerOf, parseTrustProxy } from "@geolookup/shared/runtime/http/client-address.ts";
import { expect } from "chai";
import { GRANT, KEY } from "../testing/small-app.ts";
import type { RequestHead } from "./exchange.ts";
import { forwardedVisitor } from "./forwarded-visitor.ts";
import { readKeySlots } from "./key-slots.ts";
import { fieldsNotice, ignoredParts } from "./notice.ts";
import { queryOf, requestedFields } from "./query.ts";

const callerOf = createCallerOf(parseTrustProxy("10.0.0.0/8"));
const SECRET = GRANT;
const PUBLISHABLE = { ...GRANT, kind: "publishable" } as const;
const FORWARDING = { ...GRANT, mayForward: true } as const;

describe("ignoredParts", () => {
  const notice = (
    { url = "/v1/geo", peer = "198.51.100.1", ...headers }: Record<string, string>,
    grant: Grant | null = null,
  ) => {
    const req = { method: "GET", url, headers, socket: { remoteAddress: peer } } as unknown as RequestHead;
    const caller = callerOf(req);
    const visitor = grant?.mayForward ? forwardedVisitor(caller, req) : null;
    return ignoredParts(req, caller, readKeySlots(queryOf(url), headers), grant, visitor);
  };
  const forwarded = (entries: string, peer = "198.51.100.1") => ({ "x-forwarded-for": entries, peer });
  const behindProxy = (entries: string) => forwarded(entries, "10.0.0.1");

  describe("X-Forwarded-For", () => {
    for (const [what, request, grant, expected] of [
      [
        "a secret key that can't look up visitors",
        forwarded("44.1.2.3"),
        SECRET,
        /^X-Forwarded-For is ignored: this key can't/,
      ],
      ["the same behind a proxy", behindProxy("44.1.2.3, 51.7.0.9"), SECRET, /^X-Forwarded-For is ignored: this key/],
      ["a proxy's, all of it read", behindProxy("51.7.0.9"), SECRET, null],
      ["a proxy's, all trusted", behindProxy("10.0.0.3, 10.0.0.2"), SECRET, null],
      ["a key that can look up visitors", forwarded("44.1.2.3"), FORWARDING, null],
      ["a publishable key: browsers' extensions send it", forwarded("44.1.2.3"), PUBLISHABLE, null],
      ["no key", forwarded("44.1.2.3"), null, null],
      ["an empty one", forwarded(""), SECRET, null],
      ["none", {}, SECRET, null],
      [
        "a trusted proxy's without an address",
        behindProxy("unknown"),
        null,
        /^the proxy's X-Forwarded-For has no valid/,
      ],
      [
        "invalid behind another proxy",
        behindProxy("44.1.2.3, _hidden, 10.0.0.2"),
        SECRET,
        /^the proxy's X-Forwarded-For has/,
      ],
      ["invalid to the left of the caller", behindProxy("unknown, 44.1.2.3"), null, null],
      [
        "invalid, of a key that can look up visitors",
        behindProxy("unknown"),
        FORWARDING,
        /^X-Forwarded-For has no valid visitor/,
      ],
    ] as const)
      it(what, () => {
        const text = notice(request, grant);
        if (expected === null) expect(text).to.equal(null);
        else expect(text).to.match(expected).and.not.match(/[0-9]/);
      });
  });

  describe("Authorization without Bearer", () => {
    for (const [authorization, isNoted] of [
      [KEY, true],
      [`Token ${KEY}`, true],
      [`Basic ${Buffer.from(`${KEY}:`).toString("base64")}`, true],
      [`Basic ${Buffer.from(`${KEY.replace("sk", "pk")}:`).toString("base64")}`, true],
      ["Basic dXNlcjpwYXNzd29yZA==", false],
      [`Bearer ${KEY}`, false],
      ["Bearer", false],
      ["", false],
    ] as const)
      it(authorization === "" ? "none" : authorization.slice(0, 14), () => {
        const text = notice({ authorization });
        expect(text).to.equal(isNoted ? 'Authorization is ignored: a key must follow the word "Bearer"' : null);
      });

    it("isn't noted beside another key", () =>
      expect(notice({ authorization: KEY, url: `/v1/geo?key=${KEY}` }, SECRET)).to.equal(null));
  });

  describe("query parameters", () => {
    for (const [query, expected] of [
      ["ip=44.1.2.3", 'query parameter "ip" is ignored: a lookup is for the caller\'s own address'],
      ["key=x&IP=44.1.2.3", 'query parameter "IP" is ignored: a lookup is for the caller\'s own address'],
      ["api_key=x", 'query parameter "api_key" is ignored: send the key as "key"'],
      ["fields=city&lang=de", 'query parameter "lang" is ignored: names are in English'],
      ["field=city", 'query parameter "field" is ignored: choose fields with "fields"'],
      ["format=xml", 'query parameter "format" is ignored: responses are JSON'],
      ["key=x&fields=city", null],
      ["key&fields", null],
      ["utm_source=a&_=1&ipx=1&x=ip", null],
      ["", null],
      [`${"a&".repeat(20)}ip=1`, null],
    ] as const)
      it(query.slice(0, 40) || "none", () => expect(notice({ url: `/v1/geo?${query}` })).to.equal(expected));
  });

  it("joins notes as long as they fit, without an address", () => {
    const all = { ...forwarded("44.1.2.3"), url: "/?key=x&ip=44.1.2.3&lang=de&token=44.1.2.3&format=json" };
    expect(notice(all, SECRET))
      .to.match(/^X-Forwarded-For is ignored: .*; query parameter "ip" is ignored: /)
      .and.not.match(/[0-9]/);
    expect(notice(all, SECRET)).to.match(/^[ -~]{150,200}$/);
    expect(notice({ url: "/?ip&lang" })).to.match(/^query parameter "ip" .*; query parameter "lang" /);
  });
});

describe("fieldsNotice", () => {
  const free = (names: string) =>
    fieldsNotice(requestedFields(new URLSearchParams({ fields: names })) ?? new Set(), "free", "free");

  for (const [names, notice] of [
    ["country,continent,partial", null],
    ["town,city", 'unknown field "town"; "city" is not in plan "free"'],
    ["Country", 'unknown field "Country"'],
    ["country,asn", '"asn" is not in plan "free"'],
    ["a,b,c,d,e", 'unknown field "a"; unknown field "b"; unknown field "c"'],
    ["a,a,a,a,b", 'unknown field "a"; unknown field "b"'],
    ["__proto__,constructor", 'unknown field "__proto__"; unknown field "constructor"'],
    ['a"b\\c%d e', 'unknown field "a%22b%5Cc%25d e"'],
    ["city\r\nSet-Cookie: a=b", 'unknown field "city%0D%0ASet-Cookie: a=b"'],
    ["żó🐢\u007f", 'unknown field "%C5%BC%C3%B3%F0%9F%90%A2%7F"'],
    [`${"x".repeat(39)}ż`, `unknown field "${"x".repeat(39)}..."`],
  ] as const)
    it(JSON.stringify(names), () => expect(free(names)).to.equal(notice));

  it("names the free tier without a key, and finds every field in a plan with the paid fields", () => {
    expect(fieldsNotice(new Set(["city"]), "free", undefined)).to.equal('"city" is not in the free tier');
    expect(fieldsNotice(new Set([...FIELDS, "partial"]), "paid", "paid")).to.equal(null);
  });

  it("never has more than 200 bytes, and is printable ASCII", () => {
    const longest = [...FIELDS].sort((a, b) => b.length - a.length);
    for (const names of [longest, ["ż".repeat(9), "\n".repeat(5_000), '"'.repeat(5_000), "x".repeat(5_000)]]) {
      const notice = fieldsNotice(new Set(names), "free", "p".repeat(32)) ?? "";
      expect(notice).to.match(/^[ -~]{150,200}$/);
      const both = fieldsNotice(new Set(names), "free", "p".repeat(32), "another notice".repeat(6)) ?? "";
      expect(both).to.match(/^(another notice){6}; [ -~]{20,114}$/);
    }
  });
});
