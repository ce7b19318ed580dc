import { UNKNOWN_PLACE } from "@geolookup/shared/domain/record.ts";
import { recordText } from "@geolookup/shared/domain/record-text.ts";
import { loadService } from "@geolookup/shared/runtime/grpc/client.ts";
import { startGrpcServer } from "@geolookup/shared/runtime/grpc/server.ts";
import { createLog } from "@geolookup/shared/runtime/observability/log.ts";

/**
 * A process that answers as a geo node and as an auth node, for tests that stop and kill it:
 * `answering-node.ts NAME PORT AGE`. Every city and every plan is its name. An `older` geo node knows of no records and no streams, as
 * in a cluster that is being upgraded. Of addresses that end in 66 the free members of the record end within one.
 * Prints its port when it serves.
 */
const [name = "", port = "0", age = "new"] = process.argv.slice(2);
const { members, freeLength } = recordText({ ...UNKNOWN_PLACE, city: name });
const locateRecords = ({ addresses }: { addresses: string[] }) => ({
  records: {
    members: addresses.map(() => members),
    freeLengths: addresses.map((address) => (address.endsWith("66") ? freeLength - 1 : freeLength)),
    partialFree: addresses.map(() => true),
    partialPaid: addresses.map(() => true),
    reasons: addresses.map(() => "FOUND"),
  },
});
const locatePlaces = ({ addresses }: { addresses: string[] }) => ({
  results: addresses.map(() => ({ place: { city: name }, reason: "FOUND" })),
});
const grant = { keyId: "key", kind: "SECRET", plan: name, fields: "PAID", monthlyRequests: 10, display: "geo_sk_…" };
const server = await startGrpcServer({
  host: "127.0.0.1",
  port: Number(port),
  log: createLog(name, "error"),
  services: [
    {
      definition: loadService("geo/v1/geo.proto", "geolookup.geo.v1.Geo").service,
      handlers: {
        ...(age === "older" ? { locate: locatePlaces } : { locate: locateRecords, locateStream: locateRecords }),
        listDatabases: () => ({ databases: [] }),
      },
    },
    {
      definition: loadService("auth/v1/auth.proto", "geolookup.auth.v1.Auth").service,
      handlers: {
        authorize: ({ checks }: { checks: object[] }) => ({
          verdicts: checks.map(() => ({ outcome: "GRANTED", grant })),
          epoch: "epoch",
          sequence: 7,
        }),
      },
    },
  ],
});
server.setServing(true);
process.stdout.write(`${server.port}\n`);
process.once("SIGTERM", async () => {
  server.setServing(false);
  await server.close();
  process.exit(0);
});
