import { isMonth } from "@geolookup/shared/domain/period.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { SHARD_COUNT } from "@geolookup/shared/domain/usage-shard.ts";
import { adminOnly } from "@geolookup/shared/runtime/grpc/calls.ts";
import { MAX_BATCH } from "@geolookup/shared/runtime/grpc/limits.ts";
import { expectBatch, type ServedService, serve } from "@geolookup/shared/runtime/grpc/served-service.ts";
import { TOTALS, USAGE } from "@geolookup/shared/runtime/grpc/services.ts";
import type { Usage } from "./usage.ts";

/**
 * Gateways of version 0.1 request up to this many totals at once, and may be upgraded after usage. Later ones request up to
 * MAX_BATCH.
 */
const MAX_BATCH_OF_VERSION_0_1 = 4_096;
/** The format of a gateway's instance ID. */
const GATEWAY_INSTANCE_ID = /^[0-9a-f]{16}$/;
/** The number of keys that auth lists in one call. */
const MAX_TOP = 1_000;
/** Fits 4,096 key IDs. */
const MAX_TOTALS_BYTES = 128 * 1_024;

/** Serves Usage of proto/usage/v1 to callers presenting the admin token. */
export function usageService({ usage, adminToken }: { usage: Usage; adminToken: string }): ServedService {
  return serve(
    USAGE,
    {
      GetMonth: (request) => {
        const { keyId = "" } = request;
        if (keyId === "") throw new ServiceError("invalid", "key_id is missing");
        const month = readMonth(request.month);
        return { keyId, month, ...usage.month(keyId, month), refusals: usage.refusals(keyId, month) };
      },
      GetHours: ({ keyId = "" }) => {
        const { sinceMs, hours } = usage.hours(keyId);
        const counts = hours.flatMap(({ startMs, counts }) =>
          Object.entries(counts).map(([code, requests]) => ({ startMs, code, requests })),
        );
        return { sinceMs, counts };
      },
      ListShardMonth: (request) => {
        const month = readMonth(request.month);
        return {
          keys: Array.from(usage.shardMonth(readShard(request.shard), month), ([keyId, counted]) => ({
            keyId,
            month,
            ...counted,
          })),
        };
      },
      GetLastUsed: ({ keyIds }) => {
        expectBatch(keyIds, MAX_TOP);
        return { days: keyIds.map((keyId) => usage.lastUsed(keyId) ?? "") };
      },
      GetQuotaMonth: ({ quotaId = "", month }) => {
        if (quotaId === "") throw new ServiceError("invalid", "quota_id is missing");
        return usage.quotaMonth(quotaId, readMonth(month));
      },
      GetSummary: ({ month, top = 0 }) => {
        if (top > MAX_TOP) throw new ServiceError("invalid", `top must be at most ${MAX_TOP}`);
        return usage.summary(readMonth(month), top);
      },
    },
    { identify: adminOnly(adminToken) },
  );
}

/** Serves Totals of proto/usage/v1 to gateways and auth. It has no secrets, so it needs no token. */
export function totalsService(usage: Usage): ServedService {
  return serve(
    TOTALS,
    {
      GetTotals: (request) => {
        const { instanceId = "", keyIds, position = 0 } = request;
        expectBatch(keyIds, GATEWAY_INSTANCE_ID.test(instanceId) ? MAX_BATCH_OF_VERSION_0_1 : MAX_BATCH);
        return usage.totals(keyIds, readMonth(request.month), instanceId, position);
      },
      GetChanges: ({ instanceId = "", reported }) => {
        expectBatch(reported);
        const { months, ...changes } = usage.changes(
          reported.map(({ nodeId = "", version = 0 }) => ({ nodeId, version })),
          instanceId,
        );
        return { ...changes, months: months.map(({ quotaIds: keyIds, ...rest }) => ({ ...rest, keyIds })) };
      },
      ListUsedKeys: ({ shard, month, atLeast }) => {
        const used = usage.usedKeys(readShard(shard), month ? readMonth(month) : null, atLeast || 1);
        return { keyIds: [...used.keys()], totals: [...used.values()] };
      },
    },
    { maxRequestBytes: MAX_TOTALS_BYTES },
  );
}

function readShard(shard = 0): number {
  if (shard >= SHARD_COUNT) throw new ServiceError("invalid", `shard must be below ${SHARD_COUNT}`);
  return shard;
}

function readMonth(month = ""): string {
  if (!isMonth(month)) throw new ServiceError("invalid", "month must have the form YYYY-MM, e.g. 2026-05");
  return month;
}
