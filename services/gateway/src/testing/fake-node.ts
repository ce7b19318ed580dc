import { UNKNOWN_PLACE } from "@geolookup/shared/domain/record.ts";
import { recordText } from "@geolookup/shared/domain/record-text.ts";
import type { Grant } from "@geolookup/shared/generated/geolookup/auth/v1/Grant.ts";
import type { LocateRequest__Output } from "@geolookup/shared/generated/geolookup/geo/v1/LocateRequest.ts";
import type { LocateResponse } from "@geolookup/shared/generated/geolookup/geo/v1/LocateResponse.ts";
import { serve } from "@geolookup/shared/runtime/grpc/served-service.ts";
import { startGrpcServer } from "@geolookup/shared/runtime/grpc/server.ts";
import { AUTH, GEO } from "@geolookup/shared/runtime/grpc/services.ts";
import { createLog } from "@geolookup/shared/runtime/observability/log.ts";

/**
 * A geo and auth node as a process, for tests that stop and kill it: `fake-node.ts NAME PORT`. Every city and every
 * plan has its name. Records of addresses that
 * end in 66 are invalid, and accuracies of those that end in 67. Records in 44.0.0.0/8, and no others, are those of whole /24s. SIGUSR2
 * changes the data: from then on cities have another name. Prints its port when it serves.
 */
const [name = "", port = "0"] = process.argv.slice(2);
/** With a character of two bytes. */
const COUNTRY = "Curaçao";
let { members, free } = recordText({ ...UNKNOWN_PLACE, countryName: COUNTRY, city: name });
let dataRevision = 1;
process.on("SIGUSR2", () => {
  ({ members, free } = recordText({ ...UNKNOWN_PLACE, countryName: COUNTRY, city: `${name} again` }));
  dataRevision += 1;
});
const locateRecords = ({ addresses, wantsAccuracies }: LocateRequest__Output): LocateResponse => ({
  records: {
    prefixLengths: addresses.map((address) => (address.startsWith("44.") ? 24 : 0)),
    nodeId: process.pid,
    dataRevision,
    members: addresses.map(() => members),
    freeLengths: addresses.map((address) => (address.endsWith("66") ? free.length - 1 : free.length)),
    partialFree: addresses.map(() => true),
    partialPaid: addresses.map(() => true),
    reasons: addresses.map(() => "FOUND"),
    accuracies: wantsAccuracies
      ? addresses.map((address) => (address.endsWith("67") ? "radius=5\r\nX: y" : "radius=5; built=2026-11-01"))
      : [],
  },
});
const grant: Grant = {
  ...{ keyId: "key", kind: "SECRET", plan: name, fields: "PAID", monthlyRequests: 10, display: "geo_sk_…" },
  origins: ["https://shop.example"],
};
const server = await startGrpcServer({
  host: "127.0.0.1",
  port: Number(port),
  log: createLog(name, "error"),
  services: [
    serve(GEO, { Locate: locateRecords }),
    serve(AUTH, {
      Authorize: ({ checks }) => ({
        authorizations: checks.map(() => ({ outcome: "GRANTED", grant })),
        epoch: "epoch",
        sequence: 7,
      }),
    }),
  ],
});
server.setServing(true);
process.stdout.write(`${server.port}\n`);
process.once("SIGTERM", async () => {
  server.setServing(false);
  await server[Symbol.asyncDispose]();
  process.exit(0);
});
