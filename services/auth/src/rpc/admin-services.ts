import { adminOnly } from "@geolookup/shared/runtime/grpc/calls.ts";
import { type ServedService, serve } from "@geolookup/shared/runtime/grpc/served-service.ts";
import { AUDIT } from "@geolookup/shared/runtime/grpc/services.ts";
import type { OpenedAuth } from "../auth.ts";
import { idempotencyService } from "../idempotency/idempotency-rpc.ts";
import { identifyOperators } from "../operators/identify.ts";
import { operatorsService } from "../operators/operators-rpc.ts";
import { keyAdminService } from "./key-admin-rpc.ts";

/** Auth's administration: the services of proto/auth/v1 that need the token of ADMIN or of an operator. */
export function adminServices(auth: OpenedAuth, adminToken: string): ServedService[] {
  const { operators } = auth;
  const identify = identifyOperators({ adminToken, operators, onRefused: () => undefined });
  return [
    keyAdminService(auth, identify),
    operatorsService(operators, identify),
    serve(AUDIT, {}, { identify }),
    idempotencyService(auth.records, adminOnly(adminToken)),
  ];
}
