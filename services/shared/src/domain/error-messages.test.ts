import { expect } from "chai";
import { errorBody } from "./error-messages.ts";
import { ERROR_CODES, type Problem } from "./errors.ts";

describe("errorBody", () => {
  const display = "geo_pk_…x7Qp";
  const refused = (refusedOrigin: string | null, sentAs: "origin" | "referer" | "none" = "origin"): Problem => ({
    code: "origin_not_allowed",
    refusedOrigin,
    sentAs,
    display,
    kind: "publishable",
  });

  const cases: { name: string; problem: Problem; says: RegExp[]; never?: RegExp }[] = [
    {
      name: "a key where keyless requests are off",
      problem: { code: "missing_key", reason: "keyless_off" },
      says: [/No API key/, /`\?key=…`/, /`X-API-Key: …`/],
      never: /free tier/,
    },
    {
      name: "an empty query parameter",
      problem: { code: "missing_key", reason: "empty_slot", slot: "query", servesKeyless: true },
      says: [/the `key` query parameter/, /empty/, /variable/, /omit .* to make a keyless request/],
    },
    {
      name: "an empty query parameter where keyless requests are off",
      problem: { code: "missing_key", reason: "empty_slot", slot: "query", servesKeyless: false },
      says: [/that should hold the key is set\.$/],
      never: /keyless/,
    },
    {
      name: "a bare Bearer",
      problem: { code: "missing_key", reason: "empty_slot", slot: "bearer", servesKeyless: true },
      says: [/the `Authorization: Bearer` header/],
    },
    {
      name: "a key of the wrong shape",
      problem: { code: "malformed_key", slot: "header", reason: "shape" },
      says: [/the `X-API-Key` header/, /geo_pk_/, /geo_sk_/],
    },
    {
      name: "a key that is too long",
      problem: { code: "malformed_key", slot: "query", reason: "too_long" },
      says: [/256/],
    },
    {
      name: "a key given twice",
      problem: { code: "malformed_key", slot: "query", reason: "given_twice" },
      says: [/More than one key/, /exactly one/],
    },
    {
      name: "a key of another deployment",
      problem: { code: "bad_signature", slot: "bearer", display },
      says: [/geo_pk_…x7Qp/, /`Authorization: Bearer`/, /not issued by this service/],
    },
    {
      name: "a key without a record",
      problem: { code: "unknown_key", slot: "query", display },
      says: [/geo_pk_…x7Qp/, /no active record/, /`make keys ARGS='issue …'`/],
    },
    {
      name: "a revoked key",
      problem: { code: "revoked_key", slot: "query", display },
      says: [/geo_pk_…x7Qp/, /revoked/],
    },
    {
      name: "an origin that can be added",
      problem: refused("https://shop.example:8443"),
      says: [
        /`https:\/\/shop\.example:8443`/,
        /publishable key `geo_pk_…x7Qp`/,
        /`make keys ARGS='set-origins ID https:\/\/shop\.example:8443'`/,
      ],
    },
    {
      name: "an origin in upper case, to be added in lower",
      problem: refused("HTTPS://Shop.Example"),
      says: [/The origin `HTTPS:\/\/Shop\.Example`/, /set-origins ID https:\/\/shop\.example'`/],
    },
    {
      name: "a browser extension's origin",
      problem: refused("moz-extension://5f2b3c1a-0000-4000-8000-000000000001"),
      says: [/set-origins ID moz-extension:\/\/5f2b3c1a-0000-4000-8000-000000000001'`/],
    },
    {
      name: "an origin with a wildcard, which no browser sends",
      problem: refused("https://*.example"),
      says: [/isn't a valid origin/],
      never: /set-origins/,
    },
    {
      name: "an origin from the Referer",
      problem: refused("https://shop.example", "referer"),
      says: [/taken from the `Referer`/],
    },
    { name: "no origin", problem: refused(null, "none"), says: [/neither/, /secret key/], never: /set-origins/ },
    { name: "the origin null", problem: refused("null"), says: [/`null`/, /sandboxed/], never: /set-origins/ },
    {
      name: "an origin with a path",
      problem: refused("https://shop.example/page"),
      says: [/`https:\/\/shop\.example\/page`/, /isn't a valid origin/],
      never: /set-origins/,
    },
    {
      name: "an origin that a shell would run",
      problem: refused("https://$(id).example"),
      says: [/isn't a valid origin/],
      never: /set-origins/,
    },
    {
      name: "an origin with control and non-ASCII characters",
      problem: refused("https://b\u00fccher.example\u001b[31m`"),
      says: [/`https:\/\/b\\u00fccher\.example\\u001b\[31m\\u0060`/],
    },
    {
      name: "the hourly limit",
      problem: { code: "rate_limited", exceeded: "keyless_hourly", limit: 60, resetUnixSeconds: 1_700_000_000 },
      says: [/all 60 keyless requests for this hour/, /2023-11-14T22:13:20Z/, /1700000000/, /API key/],
    },
    {
      name: "a caller's hour with a key",
      problem: {
        ...{ code: "rate_limited", exceeded: "caller_hourly", plan: "widget", limit: 100, display },
        resetUnixSeconds: 1_700_000_000,
      },
      says: [
        /^Your IP address has reached the limit of 100 requests per hour/,
        /plan `widget` sets for each caller of the key `geo_pk_…x7Qp`/,
        /2023-11-14T22:13:20Z/,
        /reuse each response for 300 seconds/,
        /`perCallerHourly`/,
        /`make keys ARGS='set-plan ID PLAN'`/,
      ],
      never: /without a key|this month/,
    },
    {
      name: "a key's second",
      problem: {
        ...{ code: "rate_limited", exceeded: "per_second", plan: "widget", limit: 10, burst: 20, display },
        resetUnixSeconds: 1_700_000_000,
      },
      says: [
        /^The key `geo_pk_…x7Qp` has exceeded 10 requests per second \(bursts of 20\)/,
        /`widget`/,
        /all callers combined/,
        /`Retry-After`/,
        /`perSecond` or `burst`/,
      ],
      never: /Your IP address|hour/,
    },
    {
      name: "a key's second without a burst",
      problem: {
        ...{ code: "rate_limited", exceeded: "per_second", plan: "widget", limit: 1, burst: 1, display },
        resetUnixSeconds: 1_700_000_000,
      },
      says: [/exceeded 1 request per second, the limit/],
    },
    {
      name: "the monthly quota",
      problem: { code: "quota_exceeded", plan: "free", limit: 10_000, resetUnixSeconds: 1_735_689_600, display },
      says: [/geo_pk_…x7Qp/, /10000/, /`free`/, /2025-01-01T00:00:00Z/, /set-plan/],
    },
    {
      name: "an unknown path, without its query",
      problem: { code: "not_found", method: "GET", path: "/V1/geo?key=geo_sk_secret" },
      says: [/`GET \/V1\/geo`/, /`GET \/v1\/geo`/],
      never: /secret/,
    },
    {
      name: "a fragment, without its text",
      problem: { code: "not_found", method: "GET", path: "/v1/geo#geo_sk_secret" },
      says: [/fragment/, /Remove the `#`/],
      never: /no endpoint|secret/,
    },
    {
      name: "a POST",
      problem: { code: "not_found", method: "POST", path: "/v1/geo" },
      says: [/`\/v1\/geo` doesn't support `POST`/, /Use GET/],
    },
    {
      name: "a request that can't be parsed",
      problem: { code: "not_found", unreadable: "syntax" },
      says: [/isn't valid HTTP/, /`Host`/],
    },
    {
      name: "an unknown method",
      problem: { code: "not_found", unreadable: "method" },
      says: [/known HTTP method/, /case-sensitive/],
      never: /isn't valid HTTP/,
    },
    {
      name: "headers beyond the limit",
      problem: { code: "not_found", unreadable: "headers_too_large" },
      says: [/headers/, /16 kB/],
    },
    { name: "an Expect header", problem: { code: "not_found", unreadable: "expectation" }, says: [/`Expect`/] },
    {
      name: "a duplicate Host header",
      problem: { code: "not_found", unreadable: "host" },
      says: [/exactly one `Host`/],
    },
    { name: "a tunnel", problem: { code: "not_found", unreadable: "tunnel" }, says: [/`CONNECT`/, /isn't a proxy/] },
    { name: "a slow request", problem: { code: "not_found", unreadable: "too_slow" }, says: [/in time/] },
    {
      name: "a limit of 0",
      problem: { code: "rate_limited", exceeded: "keyless_hourly", limit: 0, resetUnixSeconds: 1_700_000_000 },
      says: [/requires an API key/],
      never: /Wait/,
    },
    {
      name: "overload",
      problem: { code: "internal_error", reason: "overload" },
      says: [/overloaded/, /`Retry-After`/],
    },
    { name: "a fault", problem: { code: "internal_error", reason: "fault" }, says: [/not the cause/, /log/] },
    {
      name: "an unavailable docs site",
      problem: { code: "internal_error", reason: "docs" },
      says: [/docs site is not responding/, /the API is unaffected/],
    },
  ];

  for (const { name, problem, says, never } of cases)
    it(`says what to change: ${name}`, () => {
      const { error } = errorBody(problem, "https://docs.example");
      expect(error.code).to.equal(problem.code);
      expect(error.docs).to.equal(`https://docs.example/errors/${problem.code}`);
      for (const pattern of says) expect(error.message).to.match(pattern);
      if (never) expect(error.message).to.not.match(never);
    });

  it("covers every code", () => {
    expect([...new Set(cases.map(({ problem }) => problem.code))]).to.have.members(ERROR_CODES);
  });

  it("truncates a long path", () => {
    const { error } = errorBody({ code: "not_found", method: "GET", path: `/${"x".repeat(20_000)}` }, "");
    expect(error.message).to.have.length.below(400);
  });

  it("truncates a long origin, including escapes", () => {
    expect(errorBody(refused("\u0000".repeat(10_000)), "").error.message).to.have.length.below(600);
  });

  it("never echoes a key from a path or an origin", () => {
    const key = "geo_sk_0001abcdefghijklmnopqrstuv_ABCDEFGHIJKLMNOPQRSTUV";
    const messages = [
      errorBody({ code: "not_found", method: "GET", path: `/v1/geo/${key}` }, ""),
      errorBody(refused(`https://${key}@shop.example`), ""),
    ].map(({ error }) => error.message);
    for (const message of messages) expect(message).to.include("geo_sk_…").and.not.include("abcdefgh");
  });
});
