import type { Authorization, Grant, KeyCheck } from "@geolookup/shared/domain/authorize.ts";
import type { KeyPosition } from "@geolookup/shared/domain/key-feed.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { loadService } from "@geolookup/shared/runtime/grpc/client.ts";
import { MAX_BATCH } from "@geolookup/shared/runtime/grpc/limits.ts";
import { limitsToWire } from "@geolookup/shared/runtime/grpc/plan-limits-wire.ts";
import type { ServedService } from "@geolookup/shared/runtime/grpc/server.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgeted } from "@geolookup/shared/runtime/observability/log-budget.ts";
import type { MemoryAuthorizer } from "../authorizer.ts";

/** 1,024 of the longest checks: a key of 256 characters, an origin and a referer of 400 each. */
export const MAX_AUTHORIZE_BYTES = 2 ** 20 + 2 ** 16;

interface AuthorizeRequest {
  checks: { key?: string; origin?: string; referer?: string }[];
}

/**
 * Serves proto auth/v1 Auth. A check that cannot be decided gets an unspecified outcome, so that
 * it spoils no other check of its batch.
 * @param options.position how far in the key log the verdicts know.
 * @param options.rules names the plans and signing keys they go by.
 */
export function authService(options: {
  authorizer: MemoryAuthorizer;
  position: () => KeyPosition;
  rules: () => string;
  log: Logger;
}): ServedService {
  const { authorizer, position, rules, log } = options;
  const decide = (check: KeyCheck) => {
    try {
      return verdictToWire(authorizer.authorize(check));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      budgeted(log).error({ reason: error.message }, "key check failed");
      return { outcome: "OUTCOME_UNSPECIFIED" };
    }
  };
  return {
    definition: loadService("auth/v1/auth.proto", "geolookup.auth.v1.Auth").service,
    maxRequestBytes: MAX_AUTHORIZE_BYTES,
    batches: { authorize: { field: 1, max: MAX_BATCH } },
    handlers: {
      authorize: ({ checks }: AuthorizeRequest) => ({
        verdicts: checks.map(({ key = "", origin = null, referer = null }) => decide({ key, origin, referer })),
        ...position(),
        rules: rules(),
      }),
    },
  };
}

function verdictToWire(verdict: Authorization): object {
  const outcome = verdict.outcome.toUpperCase();
  if (verdict.outcome === "granted") return { outcome, grant: grantToWire(verdict.grant) };
  if (verdict.outcome !== "origin_not_allowed") return { outcome };
  const { refusedOrigin } = verdict;
  return { outcome, grant: grantToWire(verdict.grant), ...(refusedOrigin === null ? {} : { refusedOrigin }) };
}

function grantToWire({ limits, ...grant }: Grant): object {
  const wire = { ...grant, kind: grant.kind.toUpperCase(), fields: grant.fields.toUpperCase() };
  return limits ? { ...wire, limits: limitsToWire(limits) } : wire;
}
