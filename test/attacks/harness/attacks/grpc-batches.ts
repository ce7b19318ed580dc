import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { callUnary, type Method, openClient } from "@geolookup/shared/runtime/grpc/client.ts";
import { AUTH, GEO, KEY_ADMIN, TOTALS, USAGE } from "@geolookup/shared/runtime/grpc/services.ts";
import { atRate } from "../at-rate.ts";
import { type Attack, createTally } from "./attack.ts";

const DEADLINE_MS = 5_000;
const TOO_MANY = 1_025;
/** More than gRPC's default of 4 MiB. */
const TOO_LONG = 5 * 2 ** 20;

/** A call that a service must refuse before it does any work for it. */
interface Call {
  service: "auth" | "geo" | "usage";
  path: string;
  bytes: number;
  send(client: ReturnType<typeof openClient>): Promise<unknown>;
}

function callOf<Request>(service: Call["service"], method: Method<Request, unknown>, request: NoInfer<Request>): Call {
  const send = (client: ReturnType<typeof openClient>) =>
    callUnary(client, method, request, { deadlineMs: DEADLINE_MS });
  return { service, path: method.path, bytes: JSON.stringify(request).length, send };
}

const repeated = <Item>(item: Item): Item[] => Array.from({ length: TOO_MANY }, () => item);
const CALLS: readonly Call[] = [
  callOf("geo", GEO.Locate, { addresses: repeated("44.0.0.1") }),
  callOf("geo", GEO.Locate, { addresses: ["a".repeat(TOO_LONG)] }),
  callOf("auth", AUTH.Authorize, { checks: repeated({ key: "geo_sk_x" }) }),
  callOf("auth", AUTH.Authorize, { checks: [{ key: "a".repeat(TOO_LONG) }] }),
  callOf("auth", KEY_ADMIN.ListKeys, { search: "a".repeat(100_000) }),
  callOf("usage", TOTALS.GetTotals, { instanceId: "a", month: "2026-01", keyIds: repeated("key_1") }),
  callOf("usage", USAGE.ListShardMonth, { shard: 0, month: "2026-01" }),
];

/** Batches that are too large, messages that are too long, and calls without their token. */
export function grpcBatches({ perSecond }: { perSecond: number }): Attack {
  return {
    name: "grpc-batches",
    about: `${perSecond} gRPC calls a second: batches of ${TOO_MANY.toLocaleString("en")}, messages of 5 MB, missing tokens`,
    async run({ inside }, signal) {
      const tally = createTally();
      const accepted = createTally();
      const clients = CALLS.map(({ service }) => openClient(inside.grpc[service] ?? ""));
      const underWay = new Set<Promise<void>>();
      await atRate(perSecond, signal, (turn) => {
        const index = turn % CALLS.length;
        const call = CALLS[index];
        const client = clients[index];
        if (!call || !client) return;
        const called = call.send(client).then(
          () => accepted.add(`${call.path} with ${call.bytes} bytes`),
          (error: unknown) => tally.add(`refused: ${error instanceof ServiceError ? error.code : error}`),
        );
        underWay.add(called.finally(() => underWay.delete(called)));
      });
      await Promise.all(underWay);
      for (const client of clients) client.close();
      const problems = Object.entries(accepted.counts).map(([what, count]) => `${count} × ${what} wasn't refused`);
      return { tally: tally.counts, problems };
    },
  };
}
