import { ADMIN } from "@geolookup/shared/domain/operators.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { adminOnly } from "@geolookup/shared/runtime/grpc/calls.ts";
import { callerOf, type Identify, type ServedService, serve } from "@geolookup/shared/runtime/grpc/served-service.ts";
import { IDEMPOTENCY, OPERATORS } from "@geolookup/shared/runtime/grpc/services.ts";
import { auditService } from "../audit/audit-rpc.ts";
import type { OpenedAuth } from "../auth.ts";
import type { IdempotencyRecords } from "../idempotency/records.ts";
import { identifyOperators } from "../operators/identify.ts";
import type { Operators } from "../operators/operators.ts";
import { keyAdminService } from "./key-admin-rpc.ts";

/** A response with a key that has 100 of the longest origins. */
const MAX_RECORD_REQUEST_BYTES = 256 * 1_024;

/** Auth's administration: the services of proto/auth/v1 that need the token of ADMIN or of an operator. */
export function adminServices(auth: OpenedAuth, adminToken: string): ServedService[] {
  const { operators, trail } = auth;
  const identify = identifyOperators({ adminToken, operators, onRefused: () => trail.refused("token") });
  return [
    keyAdminService(auth, identify),
    operatorsService(operators, identify),
    auditService(trail, identify),
    idempotencyService(auth.records, adminOnly(adminToken)),
  ];
}

/** Serves Operators of proto/auth/v1. */
function operatorsService(operators: Operators, identify: Identify): ServedService {
  return serve(
    OPERATORS,
    {
      WhoAmI: (_request, metadata) => {
        const caller = callerOf(metadata);
        return { ...(caller.name !== ADMIN && operators.find(caller.name)), ...caller };
      },
      ListOperators: () => ({ operators: operators.list() }),
      AddOperator: ({ name = "", role = "", expiresAt = "" }, metadata) =>
        operators.add(name, role, expiresAt, callerOf(metadata).name),
      SetOperatorRole: ({ name = "", role = "" }, metadata) => operators.setRole(name, role, callerOf(metadata).name),
      ReplaceOperatorToken: ({ name = "", expiresAt = "" }, metadata) =>
        operators.replaceToken(name, expiresAt, callerOf(metadata).name),
      RemoveOperator: ({ name = "" }, metadata) => operators.remove(name, callerOf(metadata).name),
    },
    { identify },
  );
}

/** Serves Idempotency of proto/auth/v1. */
function idempotencyService(records: IdempotencyRecords, identify: Identify): ServedService {
  return serve(
    IDEMPOTENCY,
    {
      GetRecord: async ({ name = "" }) => records.get(recordName(name)),
      PutRecord: async ({ name = "", json = "", revision = 0 }) => ({
        revision: await records.put(recordName(name), json, revision),
      }),
    },
    { maxRequestBytes: MAX_RECORD_REQUEST_BYTES, identify },
  );
}

function recordName(name: string): string {
  if (/^[0-9a-f]{64}$/.test(name)) return name;
  throw new ServiceError("invalid", "a record's name must have 64 hexadecimal digits");
}
