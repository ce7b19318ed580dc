import { testMessages } from "./testing/message-cases.ts";

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
