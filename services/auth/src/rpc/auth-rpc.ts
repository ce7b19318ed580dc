import type { Authorization, Grant, KeyCheck } from "@geolookup/shared/domain/authorize.ts";
import type { KeyPosition } from "@geolookup/shared/domain/key-event.ts";
import type { PlanFields } from "@geolookup/shared/domain/record.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { Authorization as WireAuthorization } from "@geolookup/shared/generated/geolookup/auth/v1/Authorization.ts";
import type { Grant as WireGrant } from "@geolookup/shared/generated/geolookup/auth/v1/Grant.ts";
import { expectBatch, type ServedService, serve } from "@geolookup/shared/runtime/grpc/served-service.ts";
import { AUTH } from "@geolookup/shared/runtime/grpc/services.ts";
import { enumName, limitsToWire } from "@geolookup/shared/runtime/grpc/wire.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgeted } from "@geolookup/shared/runtime/observability/log-budget.ts";
import type { MemoryAuthorizer } from "../authorizer.ts";

/** Fits 1,024 of the longest checks: a key of 256 characters, an origin and a referer of 400 each. */
export const MAX_AUTHORIZE_BYTES = 2 ** 20 + 2 ** 16;

/**
 * Serves Auth of proto/auth/v1. A check that fails gets an unspecified outcome, so that it doesn't affect the other checks
 * of its batch.
 * @param options.position the position in the key log that authorizations reflect.
 * @param options.positionAgeMs how long ago it was the end of the log.
 * @param options.rules a name for the current plans and signing keys.
 */
export function authService(options: {
  authorizer: MemoryAuthorizer;
  position: () => KeyPosition;
  positionAgeMs: () => number;
  rules: () => string;
  log: Logger;
}): ServedService {
  const { authorizer, position, positionAgeMs, rules, log } = options;
  const decide = (check: KeyCheck): WireAuthorization => {
    try {
      return authorizationToWire(authorizer.authorize(check));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      budgeted(log).error({ reason: error.message }, "key check failed");
      return { outcome: "OUTCOME_UNSPECIFIED" };
    }
  };
  return serve(
    AUTH,
    {
      Authorize: ({ checks }) => {
        expectBatch(checks);
        return {
          authorizations: checks.map(({ key = "", origin = null, referer = null }) => decide({ key, origin, referer })),
          ...position(),
          positionAgeMs: Math.round(positionAgeMs()),
          rules: rules(),
        };
      },
    },
    { maxRequestBytes: MAX_AUTHORIZE_BYTES },
  );
}

function authorizationToWire(authorization: Authorization): WireAuthorization {
  const outcome = enumName(authorization.outcome);
  if (authorization.outcome === "granted") return { outcome, grant: grantToWire(authorization.grant) };
  if (authorization.outcome === "unknown_key") {
    const { end, grant } = authorization;
    return { outcome, ...(end && { end }), ...(grant && { grant: grantToWire(grant) }) };
  }
  if (authorization.outcome === "revoked_key") return { outcome, revokedKeyId: authorization.keyId ?? "" };
  if (authorization.outcome !== "origin_not_allowed") return { outcome };
  const { refusedOrigin } = authorization;
  return { outcome, grant: grantToWire(authorization.grant), ...(refusedOrigin === null ? {} : { refusedOrigin }) };
}

function grantToWire({ limits, ends, fields, counts: _counts, ...grant }: Grant): WireGrant {
  return {
    ...{ ...grant, kind: enumName(grant.kind), ...fieldsToWire(fields) },
    ...(limits && { limits: limitsToWire(limits) }),
    ...(ends && { end: { how: ends.how, at: new Date(ends.atMs).toISOString() } }),
  };
}

/** A gateway that doesn't know lists serves the fewest fields. */
function fieldsToWire(fields: PlanFields): Pick<WireGrant, "fields" | "fieldNames"> {
  return typeof fields === "string" ? { fields: enumName(fields) } : { fields: "FREE", fieldNames: [...fields] };
}
