import type { ErrorCode, Problem } from "@geolookup/shared/domain/errors.ts";

/** 1 January 2027, 00:00 UTC. */
const RESET_UNIX_SECONDS = 1_798_761_600;

/** One typical request's problem for each code: its page shows the answer to it. */
export const ERROR_EXAMPLES: Readonly<Record<ErrorCode, Problem>> = {
  missing_key: { code: "missing_key", reason: "empty_slot", slot: "query" },
  malformed_key: { code: "malformed_key", slot: "query", reason: "shape" },
  bad_signature: { code: "bad_signature", slot: "query", display: "geo_pk_…x7Qp" },
  unknown_key: { code: "unknown_key", slot: "bearer", display: "geo_sk_…x7Qp" },
  revoked_key: { code: "revoked_key", slot: "query", display: "geo_pk_…x7Qp" },
  origin_not_allowed: {
    code: "origin_not_allowed",
    refusedOrigin: "http://localhost:3000",
    sentAs: "origin",
    display: "geo_pk_…x7Qp",
    kind: "publishable",
  },
  rate_limited: { code: "rate_limited", limit: 60, resetUnixSeconds: RESET_UNIX_SECONDS },
  quota_exceeded: {
    code: "quota_exceeded",
    plan: "free",
    limit: 10_000,
    resetUnixSeconds: RESET_UNIX_SECONDS,
    display: "geo_pk_…x7Qp",
  },
  not_found: { code: "not_found", method: "GET", path: "/v1/geo/" },
  internal_error: { code: "internal_error", reason: "overload" },
};
