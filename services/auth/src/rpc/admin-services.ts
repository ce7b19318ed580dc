import { adminOnly } from "@geolookup/shared/runtime/grpc/calls.ts";
import type { ServedService } from "@geolookup/shared/runtime/grpc/served-service.ts";
import { auditService } from "../audit/audit-rpc.ts";
import type { OpenedAuth } from "../auth.ts";
import { idempotencyService } from "../idempotency/idempotency-rpc.ts";
import { identifyOperators } from "../operators/identify.ts";
import { operatorsService } from "../operators/operators-rpc.ts";
import { keyAdminService } from "./key-admin-rpc.ts";

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
