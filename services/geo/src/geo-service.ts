import { randomInt } from "node:crypto";
import type { LocateRequest__Output } from "@geolookup/shared/generated/geolookup/geo/v1/LocateRequest.ts";
import type { LocateResponse } from "@geolookup/shared/generated/geolookup/geo/v1/LocateResponse.ts";
import { expectBatch, type ServedService, serve } from "@geolookup/shared/runtime/grpc/served-service.ts";
import { GEO } from "@geolookup/shared/runtime/grpc/services.ts";
import type { OpenedLocator } from "./locator.ts";
import { locatedToWire, recordsToWire, refreshToWire } from "./wire.ts";

/** The service of proto/geo/v1 over a locator. */
export function geoService(locator: OpenedLocator): ServedService {
  const nodeId = randomInt(2 ** 32);
  const locate = ({ addresses, wantsAccuracies }: LocateRequest__Output): LocateResponse => {
    expectBatch(addresses);
    const located = addresses.map(locator.locate);
    return {
      records: {
        ...recordsToWire(located),
        ...(wantsAccuracies ? { accuracies: located.map(({ record }) => record.accuracy) } : {}),
        prefixLengths: addresses.map(locator.prefixLength),
        nodeId,
        dataRevision: locator.dataRevision(),
      },
    };
  };
  return serve(GEO, {
    Locate: locate,
    Explain: ({ address = "" }) => {
      const { located, sources } = locator.explain(address);
      return {
        result: locatedToWire(located),
        sources: sources.map((source) => ({ ...source, located: locatedToWire(source.located) })),
      };
    },
    GetDataReport: async () => {
      const { json, loadedSha256 } = await locator.report();
      return json === null ? { loadedSha256 } : { json, loadedSha256 };
    },
    GetDataStatus: async () => {
      const { refresh, ...status } = await locator.dataStatus();
      return refresh === null ? status : { ...status, refresh: refreshToWire(refresh) };
    },
    ListDatabases: () => ({ databases: locator.databases() }),
  });
}
