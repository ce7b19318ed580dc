import { type ErrorCode, FREE_FIELDS, PAID_FIELDS } from "./contract.ts";
import { ALLOWED_ORIGIN, type SmokeKeys } from "./keys.ts";
import type { Sent } from "./send.ts";

/** What a response must be. */
export type Expectation =
  /** A 200 with a record. `fields`: exactly these, besides `partial`. */
  | { kind: "record"; fields?: readonly string[] }
  | {
      kind: "error";
      code: ErrorCode;
      /** What its message must contain. */
      mentions?: (keys: SmokeKeys) => string[];
      /** What its message must not contain. */
      hides?: (keys: SmokeKeys) => string;
    }
  | { kind: "preflight" };

/** One point of the contract: a request and its response. `./geolookup smoke` and the contract suite test all of them. */
export interface Point {
  /** Of the contract. */
  section: string;
  says: string;
  /** @throws Skipped if the key is missing. */
  request: (keys: SmokeKeys) => Sent;
  expected: Expectation;
  /** How long requests may still be served with 200, because of a change just made; milliseconds. */
  withinMs?: number;
}

const REVOKED_WITHIN_MS = 5_000;
const REFUSED_ORIGIN = "https://elsewhere.example.com";
const WRONG = "nonsense";

/** A request with a key in the query string. */
export const withKey = (key: string, more = ""): Sent => ({ path: `/v1/geo?key=${encodeURIComponent(key)}${more}` });
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
const header = (key: string) => ({ "X-API-Key": key });

/** The same key with one of its random characters changed. */
const forged = (key: string) => key.replace(/^(.{20})(.)/, (_, start, digit) => start + (digit === "a" ? "b" : "a"));

const served = (section: string, says: string, request: Point["request"], fields?: readonly string[]): Point => ({
  section,
  says,
  request,
  expected: { kind: "record", ...(fields ? { fields } : {}) },
});
const refused = (section: string, says: string, code: ErrorCode, request: Point["request"]): Point => ({
  section,
  says,
  request,
  expected: { kind: "error", code },
});
const preflight = (section: string, says: string, sent: Sent): Point => ({
  section,
  says,
  request: () => ({ ...sent, method: "OPTIONS" }),
  expected: { kind: "preflight" },
});

const RECORD_POINTS: readonly Point[] = [
  served("1, 4.1", "GET /v1/geo responds with a record, Cache-Control and X-RateLimit headers", (keys) =>
    withKey(keys.paid()),
  ),
  served(
    "2.1",
    "on a paid plan every field is present, of its type or null",
    (keys) => withKey(keys.paid()),
    PAID_FIELDS,
  ),
  served("2.1 rule 2", "a field that the plan doesn't include is absent", (keys) => withKey(keys.free()), FREE_FIELDS),
  served("4.1", "fields trims the record to the given names", (keys) => withKey(keys.paid(), "&fields=country,city"), [
    "country",
    "city",
  ]),
  served(
    "4.1",
    "fields never widens what the plan allows",
    (keys) => withKey(keys.free(), "&fields=country,city,asn"),
    ["country"],
  ),
  served("4.1", "fields ignores unknown names", (keys) => withKey(keys.paid(), "&fields=nonsense,country"), [
    "country",
  ]),
];

const KEY_POINTS: readonly Point[] = [
  served("5 rule 1", "a secret key in ?key=", (keys) => withKey(keys.paid()), PAID_FIELDS),
  served(
    "5 rule 1",
    "a secret key in Authorization: Bearer",
    (keys) => ({ headers: bearer(keys.paid()) }),
    PAID_FIELDS,
  ),
  served("5 rule 1", "a secret key in X-API-Key", (keys) => ({ headers: header(keys.paid()) }), PAID_FIELDS),
  served("5 rule 1", "a publishable key in ?key=", (keys) => withKey(keys.free()), FREE_FIELDS),
  served(
    "5 rule 1",
    "a publishable key in Authorization: Bearer",
    (keys) => ({ headers: bearer(keys.free()) }),
    FREE_FIELDS,
  ),
  served("5 rule 1", "a publishable key in X-API-Key", (keys) => ({ headers: header(keys.free()) }), FREE_FIELDS),
  refused("5", "?key= comes before Authorization", "malformed_key", (keys) => ({
    ...withKey(WRONG),
    headers: bearer(keys.paid()),
  })),
  refused("5", "Authorization comes before X-API-Key", "malformed_key", (keys) => ({
    headers: { ...bearer(WRONG), ...header(keys.paid()) },
  })),
  served("5", "keys after the first one are ignored", (keys) => ({
    ...withKey(keys.paid()),
    headers: { ...bearer(WRONG), ...header(WRONG) },
  })),
  refused("5 rule 3", "an empty key is missing_key", "missing_key", () => withKey("")),
  refused("5 rule 3", "a key of the wrong shape is malformed_key", "malformed_key", () => withKey(WRONG)),
  refused("5 rule 3", "a key that wasn't issued here is bad_signature", "bad_signature", (keys) =>
    withKey(forged(keys.paid())),
  ),
  refused("5 rule 3", "a key without a record is unknown_key", "unknown_key", (keys) => withKey(keys.unknown())),
  {
    ...refused("5 rule 3", "a revoked key is revoked_key", "revoked_key", (keys) => withKey(keys.revoked())),
    withinMs: REVOKED_WITHIN_MS,
  },
  {
    section: "5 rule 4, 7",
    says: "an origin that isn't on the allowlist is refused, and the message names it and the key",
    request: (keys) => ({ ...withKey(keys.restricted()), headers: { Origin: REFUSED_ORIGIN } }),
    expected: {
      kind: "error",
      code: "origin_not_allowed",
      mentions: (keys) => [REFUSED_ORIGIN, keys.restricted().slice(0, 7), keys.restricted().slice(-4)],
      hides: (keys) => keys.restricted(),
    },
  },
  served("5 rule 4", "an origin on the allowlist is served", (keys) => ({
    ...withKey(keys.restricted()),
    headers: { Origin: ALLOWED_ORIGIN },
  })),
];

const EDGE_POINTS: readonly Point[] = [
  refused("4", "there is no POST", "not_found", () => ({ method: "POST" })),
  refused("4.1", "any other path is not_found", "not_found", () => ({ path: "/v1/nowhere" })),
  refused("9", "there is no other version", "not_found", () => ({ path: "/v2/geo" })),
  ...["/v1/geo", "/", "/any/other/path"].map((path) =>
    preflight("4.2, 8", `OPTIONS ${path} is a CORS preflight, cached for 86400 s`, { path }),
  ),
  preflight("4.2", "a preflight allows Authorization and X-API-Key", {
    headers: {
      Origin: "https://page.example.com",
      "Access-Control-Request-Method": "GET",
      "Access-Control-Request-Headers": "authorization,x-api-key",
    },
  }),
];

export const POINTS: readonly Point[] = [...RECORD_POINTS, ...KEY_POINTS, ...EDGE_POINTS];
