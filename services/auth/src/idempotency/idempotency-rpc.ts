import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { type Identify, type ServedService, serve } from "@geolookup/shared/runtime/grpc/served-service.ts";
import { IDEMPOTENCY } from "@geolookup/shared/runtime/grpc/services.ts";
import type { IdempotencyRecords } from "./records.ts";

/** A response with a key that has 100 of the longest origins. */
const MAX_REQUEST_BYTES = 256 * 1_024;

/** Serves Idempotency of proto/auth/v1. */
export function idempotencyService(records: IdempotencyRecords, identify: Identify): ServedService {
  return serve(
    IDEMPOTENCY,
    {
      GetRecord: async ({ name = "" }) => records.get(checked(name)),
      PutRecord: async ({ name = "", json = "", revision = 0 }) => ({
        revision: await records.put(checked(name), json, revision),
      }),
    },
    { maxRequestBytes: MAX_REQUEST_BYTES, identify },
  );
}

function checked(name: string): string {
  if (/^[0-9a-f]{64}$/.test(name)) return name;
  throw new ServiceError("invalid", "a record's name must have 64 hexadecimal digits");
}
