import { expect } from "chai";
import { errorBody } from "./error-messages.ts";
import { ERROR_CODES } from "./errors.ts";
import { TESTED_CODES, testMessages } from "./testing/message-cases.ts";

describe("the message for a failure", () => {
  testMessages("failures", [
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
  ]);
});

it("every error code has a tested message", () => {
  expect(Object.values(TESTED_CODES).flat()).to.have.members(ERROR_CODES);
});

const DISPLAY = "geo_pk_…x7Qp";

describe("the message for an exceeded limit", () => {
  testMessages("limits", [
    {
      name: "the hourly limit",
      problem: { code: "rate_limited", exceeded: "keyless_hourly", limit: 60, resetUnixSeconds: 1_700_000_000 },
      says: [/all 60 keyless requests for this hour/, /2023-11-14T22:13:20Z/, /1700000000/, /API key/],
    },
    {
      name: "a caller's hour with a key",
      problem: {
        ...{ code: "rate_limited", exceeded: "caller_hourly", plan: "widget", limit: 100, display: DISPLAY },
        resetUnixSeconds: 1_700_000_000,
      },
      says: [
        /^Your IP address has reached the limit of 100 requests per hour/,
        /plan `widget` sets for each caller of the key `geo_pk_…x7Qp`/,
        /2023-11-14T22:13:20Z/,
        /reuse each response for 300 seconds/,
        /`perCallerHourly`/,
        /`.\/geolookup keys set-plan ID PLAN`/,
      ],
      never: /without a key|this month/,
    },
    {
      name: "a key's second",
      problem: {
        ...{ code: "rate_limited", exceeded: "per_second", plan: "widget", limit: 10, burst: 20, display: DISPLAY },
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
      name: "the monthly quota",
      problem: {
        code: "quota_exceeded",
        plan: "free",
        limit: 10_000,
        resetUnixSeconds: 1_735_689_600,
        display: DISPLAY,
      },
      says: [
        /geo_pk_…x7Qp/,
        /10000/,
        /`free`/,
        /2025-01-01T00:00:00Z/,
        /ask the operator of this API .*Operators: .*set-plan/,
      ],
    },
    {
      name: "a shared monthly quota",
      problem: {
        ...{ code: "quota_exceeded", plan: "free", limit: 500, isShared: true, display: DISPLAY },
        resetUnixSeconds: 1_735_689_600,
      },
      says: [
        /^The key `geo_pk_…x7Qp` and your other keys share one quota, and together they have used all 500 requests/,
        /2025-01-01T00:00:00Z/,
        /ask the operator of this API for a larger quota\. Operators: raise the customer's quota/,
      ],
      never: /plan `free`/,
    },
    {
      name: "a monthly quota of 0",
      problem: { code: "quota_exceeded", plan: "none", limit: 0, resetUnixSeconds: 1_735_689_600, display: DISPLAY },
      says: [/geo_pk_…x7Qp/, /`none`.* includes no requests/, /set-plan/],
      never: /Wait/,
    },
    {
      name: "a limit of 0",
      problem: { code: "rate_limited", exceeded: "keyless_hourly", limit: 0, resetUnixSeconds: 1_700_000_000 },
      says: [/requires a key/],
      never: /Wait/,
    },
  ]);
});

describe("the message for a request without an endpoint", () => {
  testMessages("notFound", [
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
    { name: "an Expect header", problem: { code: "not_found", unreadable: "expectation" }, says: [/`Expect`/] },
    { name: "a tunnel", problem: { code: "not_found", unreadable: "tunnel" }, says: [/`CONNECT`/, /isn't a proxy/] },
    { name: "a slow request", problem: { code: "not_found", unreadable: "too_slow" }, says: [/in time/] },
  ]);

  it("truncates a long path", () => {
    const { error } = errorBody({ code: "not_found", method: "GET", path: `/${"x".repeat(20_000)}` }, "");
    expect(error.message).to.have.length.below(400);
  });

  it("never echoes a key from a path", () => {
    const path = "/v1/geo/geo_sk_0001abcdefghijklmnopqrstuv_ABCDEFGHIJKLMNOPQRSTUV";
    const { message } = errorBody({ code: "not_found", method: "GET", path }, "").error;
    expect(message).to.include("geo_sk_…").and.not.include("abcdefgh");
  });
});
