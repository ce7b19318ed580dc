import { expect } from "chai";
import type { KeyEnd } from "./authorize.ts";
import { errorBody } from "./error-messages.ts";
import type { Problem } from "./errors.ts";
import { testMessages } from "./testing/message-cases.ts";

const DISPLAY = "geo_pk_…x7Qp";

const refused = (refusedOrigin: string | null, sentAs: "origin" | "referer" | "none" = "origin"): Problem => ({
  code: "origin_not_allowed",
  refusedOrigin,
  sentAs,
  display: DISPLAY,
  kind: "publishable",
});

const unknown = (end: KeyEnd): Problem => ({ code: "unknown_key", slot: "query", display: DISPLAY, end });

describe("the message for a refused key", () => {
  testMessages("keys", [
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
      problem: { code: "bad_signature", slot: "bearer", display: DISPLAY },
      says: [/geo_pk_…x7Qp/, /`Authorization: Bearer`/, /not issued by this service/],
    },
    {
      name: "a key without a record",
      problem: { code: "unknown_key", slot: "query", display: DISPLAY },
      says: [/geo_pk_…x7Qp/, /no active record/, /ask the operator .*Operators: .*`.\/geolookup keys issue …`/],
    },
    {
      name: "an expired key",
      problem: unknown({ how: "expired", at: "2027-01-01T00:00:00.000Z" }),
      says: [
        /^The key `geo_pk_…x7Qp` in the `key` query parameter expired on 2027-01-01 at 00:00 UTC\. /,
        /ask the operator of this API for a later expiry.*Operators: .*keys expire/i,
      ],
      never: /no active record/,
    },
    {
      name: "a disabled key",
      problem: unknown({ how: "disabled", at: "2026-11-30T23:59:59.999Z" }),
      says: [
        /was disabled on 2026-11-30 at 23:59 UTC\. Ask the operator of this API to enable it again\. Operators: .*keys enable/,
      ],
    },
    {
      name: "a key that was rotated out",
      problem: unknown({ how: "rotated", at: "2026-12-01T08:15:00.000Z" }),
      says: [/was replaced by a new key, and ended on 2026-12-01 at 08:15 UTC\. Use the key that replaced it/],
    },
    {
      name: "a revoked key",
      problem: { code: "revoked_key", slot: "query", display: DISPLAY },
      says: [/geo_pk_…x7Qp/, /revoked/],
    },
    {
      name: "an origin that can be added",
      problem: refused("https://shop.example:8443"),
      says: [
        /`https:\/\/shop\.example:8443`/,
        /publishable key `geo_pk_…x7Qp`/,
        /Ask the operator of this API to add `https:\/\/shop\.example:8443` to the key's allowlist/,
        /Operators: add it in the console, or with `.\/geolookup keys set-origins ID https:\/\/shop\.example:8443`/,
      ],
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
  ]);

  it("truncates a long origin, including escapes", () => {
    expect(errorBody(refused("\u0000".repeat(10_000)), "").error.message).to.have.length.below(600);
  });

  it("never echoes a key from an origin", () => {
    const key = "geo_sk_0001abcdefghijklmnopqrstuv_ABCDEFGHIJKLMNOPQRSTUV";
    const { message } = errorBody(refused(`https://${key}@shop.example`), "").error;
    expect(message).to.include("geo_sk_…").and.not.include("abcdefgh");
  });
});
