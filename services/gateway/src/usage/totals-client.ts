import type { OthersTotals } from "@geolookup/shared/domain/usage.ts";
import { callUnary, loadService, openClient } from "@geolookup/shared/runtime/grpc-client.ts";

/** A key's first request of a month waits no longer than this. */
const DEADLINE_MS = 300;

/**
 * Connects to the usage service. Each question is one call, however many keys it is about.
 * @param options.target any gRPC target.
 * @param options.bootId the boot that asks: its own counts are left out.
 */
export function connectTotals({ target, bootId }: { target: string; bootId: string }): OthersTotals {
  const client = openClient(loadService("usage/v1/usage.proto", "geolookup.usage.v1.Totals"), target);
  return {
    async ask(month, keyIds, position) {
      const request = { bootId, month, keyIds, position };
      const { totals = [] } = await callUnary<{ totals?: number[] }>(client, "getTotals", request, {
        deadlineMs: DEADLINE_MS,
      });
      if (totals.length !== keyIds.length)
        throw new Error(`usage answered for ${totals.length} keys when asked for ${keyIds.length}`);
      return totals;
    },
    close: () => client.close(),
  };
}
