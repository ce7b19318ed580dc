import type { KeyUsage } from "@geolookup/shared/domain/usage.ts";
import { SHARD_COUNT } from "@geolookup/shared/domain/usage-shard.ts";
import { callUnary, openClient, type SecurePeer } from "@geolookup/shared/runtime/grpc/client.ts";
import { TOTALS } from "@geolookup/shared/runtime/grpc/services.ts";

/** For the keys of one shard: 16,000 of a million. */
const DEADLINE_MS = 2_000;

/**
 * Connects to the usage service.
 * @param target any gRPC target.
 * @param peer what must be at the target; undefined: anything, without TLS.
 */
export function connectKeyUsage(target: string, peer: SecurePeer | undefined): KeyUsage & Disposable {
  const client = openClient(target, peer);
  return {
    async *usedKeys(month, atLeast) {
      for (let shard = 0; shard < SHARD_COUNT; shard += 1) {
        const request = { shard, month: month ?? "", atLeast };
        const { keyIds, totals } = await callUnary(client, TOTALS.ListUsedKeys, request, { deadlineMs: DEADLINE_MS });
        yield new Map(keyIds.map((keyId, index) => [keyId, totals[index] ?? 0]));
      }
    },
    [Symbol.dispose]: () => client.close(),
  };
}
