import type { ErrorCode, Problem } from "@geolookup/shared/domain/errors.ts";
import type { Plans } from "@geolookup/shared/domain/plans.ts";
import type { Site } from "../site.ts";

/** 1 January 2027, 00:00 UTC. */
const RESET_UNIX_SECONDS = 1_798_761_600;
/** Where the deployment has no value of its own. */
const HOURLY_LIMIT = 60;
const PLAN = { plan: "free", limit: 10_000 };

/** One typical request's problem, as this deployment would have it: the code's page shows the answer to it. */
export function errorExample(code: ErrorCode, { keyless, plans }: Pick<Site, "keyless" | "plans">): Problem {
  switch (code) {
    case "missing_key":
      return keyless.hourlyLimit === null
        ? { code, reason: "keyless_off" }
        : { code, reason: "empty_slot", slot: "query", servesKeyless: true };
    case "malformed_key":
      return { code, slot: "query", reason: "shape" };
    case "bad_signature":
    case "revoked_key":
      return { code, slot: "query", display: "geo_pk_…x7Qp" };
    case "unknown_key":
      return { code, slot: "bearer", display: "geo_sk_…x7Qp" };
    case "origin_not_allowed":
      return {
        ...{ code, refusedOrigin: "http://localhost:3000", sentAs: "origin" },
        ...{ display: "geo_pk_…x7Qp", kind: "publishable" },
      };
    case "rate_limited":
      return rateLimited(keyless.hourlyLimit, plans());
    case "quota_exceeded":
      return { code, ...aPlan(plans()), resetUnixSeconds: RESET_UNIX_SECONDS, display: "geo_pk_…x7Qp" };
    case "not_found":
      return { code, method: "GET", path: "/v1/geo/" };
    case "internal_error":
      return { code, reason: "overload" };
  }
}

/** The limit without a key; if a key is required, that of a plan with `perCallerHourly`, if there is one. */
function rateLimited(hourlyLimit: number | null, plans: Plans | null): Problem {
  const limited = { code: "rate_limited", resetUnixSeconds: RESET_UNIX_SECONDS } as const;
  for (const [plan, { limits }] of hourlyLimit === null ? (plans ?? []) : [])
    if (limits?.perCallerHourly)
      return { ...limited, exceeded: "caller_hourly", plan, limit: limits.perCallerHourly, display: "geo_pk_…x7Qp" };
  return { ...limited, exceeded: "keyless_hourly", limit: hourlyLimit ?? HOURLY_LIMIT };
}

/** The plan that is called as the usual one, or the first. */
function aPlan(plans: Plans | null): { plan: string; limit: number } {
  const all = [...(plans ?? [])];
  const first = all.find(([name]) => name === PLAN.plan) ?? all[0];
  return first ? { plan: first[0], limit: first[1].monthlyRequests } : PLAN;
}
