import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { callUnary, loadService, openClient } from "@geolookup/shared/runtime/grpc/client.ts";
import { atRate } from "../at-rate.ts";
import { type Attack, createTally, needsInside } from "./attack.ts";

const DEADLINE_MS = 5_000;
const TOO_MANY = 1_025;
/** More than gRPC's own 4 MiB. */
const TOO_LONG = 5 * 2 ** 20;

/** A call that a service has to refuse before it works on it. */
interface Call {
  service: "auth" | "geo" | "usage";
  file: string;
  name: string;
  method: string;
  request: object;
}

const [AUTH, GEO, USAGE] = ["auth/v1/auth.proto", "geo/v1/geo.proto", "usage/v1/usage.proto"] as const;
const repeated = <Item>(item: Item): Item[] => Array.from({ length: TOO_MANY }, () => item);
const CALLS: readonly Call[] = [
  {
    service: "geo",
    file: GEO,
    name: "geolookup.geo.v1.Geo",
    method: "locate",
    request: { addresses: repeated("44.0.0.1") },
  },
  {
    service: "geo",
    file: GEO,
    name: "geolookup.geo.v1.Geo",
    method: "locate",
    request: { addresses: ["a".repeat(TOO_LONG)] },
  },
  {
    service: "auth",
    file: AUTH,
    name: "geolookup.auth.v1.Auth",
    method: "authorize",
    request: { checks: repeated({ key: "geo_sk_x" }) },
  },
  {
    service: "auth",
    file: AUTH,
    name: "geolookup.auth.v1.Auth",
    method: "authorize",
    request: { checks: [{ key: "a".repeat(TOO_LONG) }] },
  },
  {
    service: "auth",
    file: AUTH,
    name: "geolookup.auth.v1.KeyAdmin",
    method: "listKeys",
    request: { search: "a".repeat(100_000) },
  },
  {
    service: "usage",
    file: USAGE,
    name: "geolookup.usage.v1.Totals",
    method: "getTotals",
    request: { bootId: "a", month: "2026-01", keyIds: repeated("key_1") },
  },
  {
    service: "usage",
    file: USAGE,
    name: "geolookup.usage.v1.Usage",
    method: "listShardMonth",
    request: { shard: 0, month: "2026-01" },
  },
];

/** Batches that are too large, messages that are too long, and calls without the token they need. */
export function grpcBatches({ perSecond }: { perSecond: number }): Attack {
  return {
    name: "grpc-batches",
    about: `${perSecond} gRPC calls a second with batches of ${TOO_MANY.toLocaleString("en")}, messages of 5 MB, or no token`,
    unfit: (target) => needsInside(target) ?? (target.inside?.grpc.geo ? null : "needs services with gRPC ports"),
    async run({ inside }, signal) {
      const tally = createTally();
      const accepted = createTally();
      const clients = CALLS.map(({ service, file, name }) =>
        openClient(loadService(file, name), inside?.grpc[service] ?? ""),
      );
      const underWay = new Set<Promise<void>>();
      await atRate(perSecond, signal, (turn) => {
        const index = turn % CALLS.length;
        const call = CALLS[index];
        const client = clients[index];
        if (!call || !client) return;
        const called = callUnary(client, call.method, call.request, { deadlineMs: DEADLINE_MS }).then(
          () => accepted.add(`${call.name}.${call.method} with ${JSON.stringify(call.request).length} bytes`),
          (error: unknown) => tally.add(`refused: ${error instanceof ServiceError ? error.code : error}`),
        );
        underWay.add(called.finally(() => underWay.delete(called)));
      });
      await Promise.all(underWay);
      for (const client of clients) client.close();
      const problems = Object.entries(accepted.counts).map(([what, count]) => `${count} × ${what} was carried out`);
      return { tally: tally.counts, problems };
    },
  };
}
