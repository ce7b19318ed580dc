import type { Grant } from "@geolookup/shared/domain/authorize.ts";
import { createCallerOf, parseTrustProxy } from "@geolookup/shared/runtime/http/client-address.ts";
import { expect } from "chai";
import { GRANT, KEY } from "../testing/small-app.ts";
import type { RequestHead } from "./exchange.ts";
import { forwardedVisitor } from "./forwarded-visitor.ts";
import { ignoredParts } from "./ignored-parts.ts";
import { readKeySlots } from "./key-slots.ts";
import { queryOf } from "./query.ts";

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
        "a secret key that may not forward",
        forwarded("44.1.2.3"),
        SECRET,
        /^X-Forwarded-For is ignored: this key may not/,
      ],
      ["the same behind a proxy", behindProxy("44.1.2.3, 51.7.0.9"), SECRET, /^X-Forwarded-For is ignored: this key/],
      ["a proxy's, all of it read", behindProxy("51.7.0.9"), SECRET, null],
      ["a proxy's, all trusted", behindProxy("10.0.0.3, 10.0.0.2"), SECRET, null],
      ["a key that may forward", forwarded("44.1.2.3"), FORWARDING, null],
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
        "invalid, of a key that may forward",
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
      ["apikey=x", 'query parameter "apikey" is ignored: send the key as "key"'],
      ["api_key=x", 'query parameter "api_key" is ignored: send the key as "key"'],
      ["token=x", 'query parameter "token" is ignored: send the key as "key"'],
      ["Key=x", 'query parameter "Key" is ignored: send the key as "key"'],
      ["fields=city&lang=de", 'query parameter "lang" is ignored: names are in English'],
      ["field=city", 'query parameter "field" is ignored: choose fields with "fields"'],
      ["Fields=city", 'query parameter "Fields" is ignored: choose fields with "fields"'],
      ["format=xml", 'query parameter "format" is ignored: responses are JSON'],
      ["key=x&fields=city", null],
      ["key&fields", null],
      ["utm_source=a&_=1&ipx=1&x=ip", null],
      ["", null],
      ["&&", null],
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
