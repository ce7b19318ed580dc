import type { ErrorCode, Problem } from "@geolookup/shared/domain/errors.ts";
import type { Plans } from "@geolookup/shared/domain/plans.ts";
import type { DeploymentInfo } from "../deployment/deployment-info.ts";

/** 1 January 2027, 00:00 UTC. */
const RESET_UNIX_SECONDS = 1_798_761_600;
/** Used if the deployment's own values are unknown. */
const HOURLY_LIMIT = 60;
const PLAN = { plan: "free", limit: 10_000 };

/** A typical problem in this deployment, for the example response on the code's page. */
export function errorExample(code: ErrorCode, { keyless, plans }: Pick<DeploymentInfo, "keyless" | "plans">): Problem {
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
      return { code, ...examplePlan(plans()), resetUnixSeconds: RESET_UNIX_SECONDS, display: "geo_pk_…x7Qp" };
    case "not_found":
      return { code, method: "GET", path: "/v1/geo/" };
    case "internal_error":
      return { code, reason: "overload" };
  }
}

/** The keyless limit; if a key is required, the limit of a plan with `perCallerHourly`, if any. */
function rateLimited(hourlyLimit: number | null, plans: Plans | null): Problem {
  const limited = { code: "rate_limited", resetUnixSeconds: RESET_UNIX_SECONDS } as const;
  for (const [plan, { limits }] of hourlyLimit === null ? (plans ?? []) : [])
    if (limits?.perCallerHourly)
      return { ...limited, exceeded: "caller_hourly", plan, limit: limits.perCallerHourly, display: "geo_pk_…x7Qp" };
  return { ...limited, exceeded: "keyless_hourly", limit: hourlyLimit ?? HOURLY_LIMIT };
}

/** The plan named `free`, or else the first plan. */
function examplePlan(plans: Plans | null): { plan: string; limit: number } {
  const all = [...(plans ?? [])];
  const first = all.find(([name]) => name === PLAN.plan) ?? all[0];
  return first ? { plan: first[0], limit: first[1].monthlyRequests } : PLAN;
}
