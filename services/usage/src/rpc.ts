import { isMonth } from "@geolookup/shared/domain/period.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { NodeVersion } from "@geolookup/shared/domain/usage.ts";
import { SHARD_COUNT } from "@geolookup/shared/domain/usage-shard.ts";
import { loadService } from "@geolookup/shared/runtime/grpc/client.ts";
import type { Handler } from "@geolookup/shared/runtime/grpc/handlers.ts";
import { MAX_BATCH } from "@geolookup/shared/runtime/grpc/limits.ts";
import type { ServedService } from "@geolookup/shared/runtime/grpc/server.ts";
import type { Usage } from "./usage.ts";

/**
 * Gateways of version 0.1 request up to this many totals at once, and may be upgraded after usage. Newer ones request up to
 * MAX_BATCH.
 */
const MAX_BATCH_OF_VERSION_0_1 = 4_096;
/** The format of a gateway's instance ID. */
const GATEWAY_INSTANCE_ID = /^[0-9a-f]{16}$/;
/** 4,096 key IDs. */
const MAX_TOTALS_BYTES = 128 * 1_024;

const PROTO = "usage/v1/usage.proto";

/** Serves the operator's part of proto usage/v1 to who has the admin token. */
export function usageServices({ usage, adminToken }: { usage: Usage; adminToken: string }): ServedService[] {
  const getMonth: Handler = (request: { keyId?: string; month?: string }) => {
    const { keyId = "" } = request;
    if (keyId === "") throw new ServiceError("invalid", "key_id is missing");
    const month = readMonth(request.month);
    return { keyId, month, ...usage.month(keyId, month) };
  };
  const listShardMonth: Handler = (request: { shard?: number; month?: string }) => {
    const { shard = 0 } = request;
    if (shard >= SHARD_COUNT) throw new ServiceError("invalid", `shard must be below ${SHARD_COUNT}`);
    const month = readMonth(request.month);
    const keys = Array.from(usage.shardMonth(shard, month), ([keyId, counted]) => ({ keyId, month, ...counted }));
    return { keys };
  };
  return [
    {
      definition: loadService(PROTO, "geolookup.usage.v1.Usage").service,
      handlers: { getMonth, listShardMonth },
      adminToken,
    },
  ];
}

/** Serves what gateways ask: totals without their own counts. Nothing in it is secret, so it needs no token. */
export function totalsService(usage: Usage): ServedService {
  const getTotals: Handler = async (request: {
    bootId?: string;
    month?: string;
    keyIds: string[];
    position?: number;
  }) => {
    const { bootId: instanceId = "", keyIds, position = 0 } = request;
    if (keyIds.length > MAX_BATCH && !GATEWAY_INSTANCE_ID.test(instanceId))
      throw new ServiceError("invalid", `a batch may have at most ${MAX_BATCH} entries`);
    return usage.totals(keyIds, readMonth(request.month), instanceId, position);
  };
  const getChanges: Handler = ({ bootId: instanceId = "", told }: { bootId?: string; told: Partial<NodeVersion>[] }) =>
    usage.changes(
      told.map(({ nodeId = "", version = 0 }) => ({ nodeId, version })),
      instanceId,
    );
  return {
    definition: loadService(PROTO, "geolookup.usage.v1.Totals").service,
    handlers: { getTotals, getChanges },
    maxRequestBytes: MAX_TOTALS_BYTES,
    batches: {
      getTotals: { field: 3, max: MAX_BATCH_OF_VERSION_0_1 },
      getChanges: { field: 2, max: MAX_BATCH },
    },
  };
}

function readMonth(month = ""): string {
  if (!isMonth(month)) throw new ServiceError("invalid", "month must be given as YYYY-MM, e.g. 2026-05");
  return month;
}
