import { isMonth } from "@geolookup/shared/domain/period.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { requireAdminToken } from "@geolookup/shared/runtime/admin-token.ts";
import { loadService } from "@geolookup/shared/runtime/grpc-client.ts";
import type { Handler, ServedService } from "@geolookup/shared/runtime/grpc-server.ts";
import type { Usage } from "./usage.ts";

/** Serves proto usage/v1 to who has the admin token. */
export function usageServices({ usage, adminToken }: { usage: Usage; adminToken: string }): ServedService[] {
  const getMonth: Handler = (request: { keyId?: string; month?: string }, metadata) => {
    requireAdminToken(metadata, adminToken);
    const { keyId = "", month = "" } = request;
    if (keyId === "") throw new ServiceError("invalid", "key_id is missing");
    if (!isMonth(month)) throw new ServiceError("invalid", "month must be given as YYYY-MM, e.g. 2026-05");
    return { keyId, month, ...usage.month(keyId, month) };
  };
  return [
    { definition: loadService("usage/v1/usage.proto", "geolookup.usage.v1.Usage").service, handlers: { getMonth } },
  ];
}
