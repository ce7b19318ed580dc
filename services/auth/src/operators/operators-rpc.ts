import { callerOf, type Identify, type ServedService, serve } from "@geolookup/shared/runtime/grpc/served-service.ts";
import { OPERATORS } from "@geolookup/shared/runtime/grpc/services.ts";

/** Serves Operators of proto/auth/v1. */
export function operatorsService(identify: Identify): ServedService {
  return serve(OPERATORS, { WhoAmI: (_request, metadata) => callerOf(metadata) }, { identify });
}
