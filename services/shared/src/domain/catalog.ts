/**
 * The contract as data: the fields of a record, the error codes, and the headers of responses. The types of records, the OpenAPI
 * document, and the docs host's pages of fields and errors read it. `npm run generate` writes the packages' types and the tables of
 * docs/api.md and docs/troubleshooting.md from it.
 */

/** A field set that a plan may grant. */
export type FieldSet = "free" | "paid";

/** A field of the record (contract, section 2.1). */
export interface FieldEntry {
  type: "string" | "boolean" | "number" | "array of strings";
  /** The field set that grants it. `paid` also grants what `free` does. */
  plan: FieldSet;
  /**
   * What it is read from: the caller's address, a database's place, what a database says of the network, or the table of
   * countries.
   */
  source: "address" | "place" | "network" | "country";
  /** Text in backticks is code. */
  note: string;
  /** JSON Schema of its values, apart from the type. */
  schema?: { type?: "integer"; enum?: readonly string[]; [keyword: string]: unknown };
  /** Its value in the record that pages show. */
  example: string | number | boolean | readonly string[] | null;
}

const DEGREES = { pattern: "^-?\\d{1,3}(\\.\\d{1,4})?$" };

/** Every field, in the order of the contract. Those of `free` come first, after `ip`. */
export const FIELD_CATALOG = {
  ip: {
    ...{ type: "string", plan: "paid", source: "address", example: "81.2.69.142" },
    note: "The caller's IP address: IPv4 in dotted decimal, IPv6 in the canonical form of RFC 5952.",
    // Alternatives of formats would make generators lose the type.
    schema: { pattern: "^[0-9a-f.:]{2,39}$" },
  },
  country: {
    ...{ type: "string", plan: "free", source: "place", example: "GB" },
    note: "ISO 3166-1 alpha-2 code.",
    schema: { pattern: "^[A-Z]{2}$" },
  },
  countryName: {
    ...{ type: "string", plan: "free", source: "place", example: "United Kingdom" },
    note: "English name of the country.",
  },
  continent: {
    ...{ type: "string", plan: "free", source: "place", example: "EU" },
    note: "One of `AF`, `AN`, `AS`, `EU`, `NA`, `OC`, `SA`.",
    schema: { enum: ["AF", "AN", "AS", "EU", "NA", "OC", "SA"] },
  },
  isEUCountry: {
    ...{ type: "boolean", plan: "paid", source: "country", example: false },
    note: "Whether the country is a member of the European Union. The United Kingdom is not.",
  },
  region: {
    ...{ type: "string", plan: "paid", source: "place", example: "England" },
    note: "First-level subdivision, such as a state or province.",
  },
  regionCode: {
    ...{ type: "string", plan: "paid", source: "place", example: "ENG" },
    note: "ISO 3166-2 code of the subdivision, without the country: `WA`.",
  },
  city: {
    ...{ type: "string", plan: "paid", source: "place", example: "London" },
    note: "English name of the city.",
  },
  timezone: {
    ...{ type: "string", plan: "paid", source: "place", example: "Europe/London" },
    note: "IANA time zone identifier, such as `Europe/London`.",
  },
  postalCode: {
    ...{ type: "string", plan: "paid", source: "place", example: "EC1A" },
    note: "Often null outside North America and Europe.",
  },
  latitude: {
    ...{ type: "string", plan: "paid", source: "place", example: "51.5143" },
    note: "Decimal degrees as a string. Locates the city, not a device.",
    schema: DEGREES,
  },
  longitude: {
    ...{ type: "string", plan: "paid", source: "place", example: "-0.0912" },
    note: "Decimal degrees as a string. Locates the city, not a device.",
    schema: DEGREES,
  },
  asn: {
    ...{ type: "number", plan: "paid", source: "network", example: 20712 },
    note: "Autonomous system number of the caller's network.",
    schema: { type: "integer", minimum: 0, maximum: 4_294_967_295 },
  },
  asOrganization: {
    ...{ type: "string", plan: "paid", source: "network", example: "Andrews & Arnold Ltd" },
    note: "Name of the network operator.",
  },
  currency: {
    ...{ type: "string", plan: "paid", source: "country", example: "GBP" },
    note: "ISO 4217 code, derived from the country.",
    schema: { pattern: "^[A-Z]{3}$" },
  },
  languages: {
    ...{ type: "array of strings", plan: "paid", source: "country", example: ["en"] },
    note: "ISO 639 codes of the primary languages, derived from the country.",
    schema: { items: { type: "string", pattern: "^[a-z]{2,3}$" } },
  },
  metroCode: {
    ...{ type: "string", plan: "paid", source: "place", example: null },
    note: "United States only; `null` elsewhere.",
  },
} as const satisfies Readonly<Record<string, FieldEntry>>;

/** The note on `partial`, which doesn't depend on the plan. */
export const PARTIAL_NOTE =
  "Present and `true` if the location is incomplete; otherwise absent. Included on every plan, regardless of `fields`.";

/** The headers of responses that web pages may read (contract, section 4.1), with what they say. */
export const HEADERS = {
  "X-RateLimit-Limit": "Requests included in this period: per hour without a key, per month with one.",
  "X-RateLimit-Remaining": "Requests left in this period.",
  "X-RateLimit-Reset": "When the period resets, in Unix seconds.",
  "Retry-After": "Seconds to wait before retrying.",
  "X-Geolookup-Notice":
    "What the service ignored or did differently than you may expect: it ignored `X-Forwarded-For`, a query parameter such as `ip` or `apikey`, a key in " +
    "`Authorization` without `Bearer`, or names in `fields` that are unknown or not in the plan (at most 3, " +
    "percent-encoded); or, in development, it located another address instead of a loopback address. The notice never contains an address. Without a " +
    "notice, the header is absent.",
  "X-Geolookup-Accuracy":
    "How exact and how old the location is, as far as the database says: `radius` in kilometers around the coordinates, " +
    "`anycast` if the address is used in several places, and the date on which the database was `built`. The header is absent " +
    "unless the operator has turned it on.",
} as const;

/** The `Cache-Control` of records. */
export const RECORD_CACHE_CONTROL = "private, max-age=300";

/** An error that a response can have. Text in backticks is code. */
export interface ErrorEntry {
  /** Of HTTP. */
  status: number;
  title: string;
  /** What the error means. The first sentence is in docs/api.md, too. */
  meaning: string;
  /** Common causes, most frequent first, each with what callers can do. */
  causes: readonly { cause: string; fix: string }[];
  /** What operators can do. Only docs/troubleshooting.md has it. */
  operators?: string;
}

/** Every error code (contract, section 7), in the order of the contract. */
export const ERROR_CATALOG = {
  missing_key: {
    status: 401,
    title: "Missing key",
    meaning: "The key is empty, or the request has no key and this service requires one.",
    causes: [
      {
        cause: "An empty key was sent: `?key=`, a bare `Authorization: Bearer` or a blank `X-API-Key`.",
        fix:
          "Usually a variable is unset where the request is built. Set it. If the service accepts requests without a key, you can also " +
          "leave out the parameter or header.",
      },
      {
        cause: "The request has no key, and the operator requires one.",
        fix: "Ask the operator of this API for a key, and send it as `?key=`, `Authorization: Bearer` or `X-API-Key`.",
      },
    ],
    operators: "Issue a key, or set `KEYLESS=on`.",
  },
  malformed_key: {
    status: 401,
    title: "Malformed key",
    meaning:
      "The value that was sent isn't a valid key. A key starts with `geo_pk_` or `geo_sk_`, followed by letters, " +
      "digits and underscores, and is at most 256 characters long.",
    causes: [
      {
        cause: "The key was cut off, or something was pasted along with it: quotes, a space or a line break.",
        fix: "Copy it again. Double-clicking a key selects all of it and nothing else.",
      },
      {
        cause: "A placeholder such as `YOUR_KEY` or an unexpanded `$KEY` was sent.",
        fix: "Replace it with the key. In a shell, use double quotes: single quotes send `$KEY` literally.",
      },
      { cause: "The query string contains `key` more than once.", fix: "Send it once." },
      {
        cause: "The display form of a key was sent, the one with `…` in it.",
        fix: "It only identifies a key. The full key is shown once, when it's issued. If it's lost, ask the operator of this API for a new one.",
      },
    ],
  },
  bad_signature: {
    status: 401,
    title: "Key not issued by this service",
    meaning: "The key has a valid format, but this service didn't sign it.",
    causes: [
      {
        cause: "The key belongs to another deployment, such as staging instead of production.",
        fix: "Use a key of this deployment, or send the request to the other one.",
      },
      { cause: "A character changed or got lost when the key was copied.", fix: "Copy the whole key again." },
      {
        cause: "The operator removed the signing key that signed it, for example after a leak.",
        fix: "Ask the operator of this API for a new key. Keys signed with a removed signing key can't be restored.",
      },
    ],
  },
  unknown_key: {
    status: 401,
    title: "Unknown key",
    meaning: "This service signed the key but has no active record of it.",
    causes: [
      {
        cause: "The key has expired, was disabled, or was replaced by another one. The message says since when.",
        fix: "Use the key that replaced it, or ask the operator of this API to enable the key, to set a later expiry, or for a new key.",
      },
      {
        cause: "The data folder was replaced, or restored from a backup made before the key was issued.",
        fix: "Ask the operator of this API for a new key.",
      },
      {
        cause: "Two deployments share a signing key file but not a key log.",
        fix: "Send the request to the deployment that issued the key.",
      },
    ],
    operators:
      "If the message says since when, the console, or `./geolookup keys show ID`, shows why. Set a later expiry, enable the key, or " +
      "issue a new one. Otherwise, if this deployment issued the key, its data was replaced or restored from an older backup. " +
      "Restore a newer one, or issue a new key.",
  },
  revoked_key: {
    status: 401,
    title: "Revoked key",
    meaning: "The key was issued by this service and later revoked. A revoked key can't be used again.",
    causes: [
      {
        cause: "The key was leaked or replaced, and its owner revoked it.",
        fix: "Use the key that replaced it, or ask the operator of this API for a new one.",
      },
      {
        cause: "The key was revoked by mistake.",
        fix: "Ask the operator of this API for a new key.",
      },
    ],
    operators:
      "Issue a key with the same plan and origins. The console, or `./geolookup keys history ID`, shows when and why the old one was " +
      "revoked.",
  },
  origin_not_allowed: {
    status: 403,
    title: "Origin not allowed",
    meaning:
      "The key has an allowlist of origins, and the request came from an origin that isn't on it. " +
      "The message names the origin and the key.",
    causes: [
      {
        cause: "The page's origin hasn't been added yet: its host, port or scheme differs from those on the list.",
        fix: "Ask the operator of this API to add the exact origin that the message names.",
      },
      {
        cause: "`https://*.example.com` is on the list, and the page is on `https://example.com`.",
        fix: "`*` matches one or more labels, but not zero. Ask the operator of this API to add `https://example.com`, too.",
      },
      {
        cause: "A publishable key is used outside a browser, so the request has no `Origin` and no `Referer`.",
        fix: "Use a secret key on servers, or send the `Origin` header of an allowed page.",
      },
      {
        cause: "The origin is `null`: the page was opened from a file, or runs in a sandboxed frame.",
        fix: "Serve the page over HTTP, for example from `http://localhost:3000`, and ask the operator of this API to add that origin.",
      },
    ],
    operators:
      "Add the origin in the console, or with `./geolookup keys set-origins ID a,b`, which replaces the whole list: include the " +
      "entries to keep.",
  },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    meaning:
      "The hourly limit without a key, or a plan's limit per caller or per second, was reached. The message says which. " +
      "Without a key, each IP address has an hourly limit. " +
      "With a key, its plan may set an hourly limit for each IP address that uses the key, and a limit per second for " +
      "the key. `X-RateLimit-Limit` is the limit that was reached, and `Retry-After` is the number of seconds to wait. " +
      "The hour starts with the first request. For IPv6, a whole network (a /64 by default) counts as one address.",
    causes: [
      {
        cause: "A script or page sends more requests than it needs.",
        fix: "Cache the response for 300 seconds; locations rarely change sooner.",
      },
      {
        cause: "Many people without a key share one address: an office, a school or a mobile network.",
        fix: "Ask the operator of this API for a key. This limit doesn't apply to requests with one.",
      },
      {
        cause: "A server sends the requests of all its users with one key, from one address.",
        fix:
          "Use a secret key that can look up visitors, or ask the operator of this API for a plan without an hourly limit for each " +
          "caller.",
      },
      {
        cause: "Someone copied a publishable key from a page and uses it in a script.",
        fix: "Ask the operator of this API to replace the key. The limits preserve the monthly quota for everyone else.",
      },
      {
        cause: "The service is behind a proxy that it doesn't trust, so every caller appears to be the proxy.",
        fix: "Tell the operator of this API.",
      },
    ],
    operators:
      "If all callers appear to be your proxy, set `TRUST_PROXY`. If a publishable key was copied from a page, set its allowlist of " +
      "origins, and revoke it if the requests don't stop.",
  },
  quota_exceeded: {
    status: 429,
    title: "Monthly quota exceeded",
    meaning:
      "Each plan includes a number of requests per calendar month, and the key has used all of them. " +
      "The count resets on the 1st at 00:00 UTC. Only successful requests (status 200) count.",
    causes: [
      {
        cause: "The traffic has outgrown the plan.",
        fix: "Ask the operator of this API for a larger plan.",
      },
      {
        cause: "Your keys share one quota, and another key has used it up. Then the message says so.",
        fix: "Find the key with the most requests, or ask the operator of this API for a larger quota.",
      },
      {
        cause: "A page or job requests the same record repeatedly.",
        fix: "Cache the response for 300 seconds.",
      },
      {
        cause: "Someone else is using the key.",
        fix: "Ask the operator of this API to replace the key by one with your origins on its allowlist.",
      },
    ],
    operators:
      "See the key's usage by day in the console, or with `./geolookup keys usage ID`. Change its plan in the console, or with " +
      "`./geolookup keys set-plan ID PLAN`, which takes effect immediately. A customer's keys share a quota: see it with " +
      "`./geolookup customers usage ID`, and change it with `./geolookup customers set-quota ID NUMBER`.",
  },
  not_found: {
    status: 404,
    title: "Not found",
    meaning:
      "The endpoint doesn't exist, or the method isn't GET or HEAD. " +
      "The service supports `GET /v1/geo` and `GET /` (and HEAD on both), and OPTIONS on any path.",
    causes: [
      {
        cause: "The path differs slightly: a trailing slash, uppercase letters or another version.",
        fix: "Use exactly `/v1/geo`. Paths are case-sensitive.",
      },
      {
        cause: "The request was a POST.",
        fix: "Use GET without a body. Send the key in the query string or a header.",
      },
      {
        cause: "The path contains an IP address to look up.",
        fix: "The service locates the caller, and has no parameter for an address. A back end sends its visitor's address in `X-Forwarded-For`, with a secret key that can look up visitors.",
      },
    ],
  },
  internal_error: {
    status: 500,
    title: "Internal error",
    meaning:
      "The service failed or is at capacity; the request is not the cause. " +
      "An unknown location is never an error: it returns 200 with `partial` set to true.",
    causes: [
      {
        cause: "The service is overloaded and refuses some requests.",
        fix: "Wait for the number of seconds in `Retry-After`, then try again.",
      },
      {
        cause: "Part of the service is unreachable, such as the one that verifies keys.",
        fix: "Try again in a moment.",
      },
      {
        cause: "The service has a bug.",
        fix: "Tell the operator of this API when it happened.",
      },
    ],
    operators: "Check `/readyz` and the log of each service. If it refuses requests under load, add capacity.",
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;
