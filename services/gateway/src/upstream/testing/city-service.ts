import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type {
  LocateRequest,
  LocateRequest__Output,
} from "@geolookup/shared/generated/geolookup/geo/v1/LocateRequest.ts";
import type { LocateResponse__Output } from "@geolookup/shared/generated/geolookup/geo/v1/LocateResponse.ts";
import { serve } from "@geolookup/shared/runtime/grpc/served-service.ts";
import { startGrpcServer } from "@geolookup/shared/runtime/grpc/server.ts";
import { GEO } from "@geolookup/shared/runtime/grpc/services.ts";
import type grpc from "@grpc/grpc-js";
import { pino } from "pino";
import type { Done } from "../request-stream.ts";

/** A geo service in which every address is the name of its city; there is none in "nowhere", and "broken" breaks it. */
export interface CityService {
  server: Awaited<ReturnType<typeof startGrpcServer>>;
  /** All streams that had requests. */
  streams: ReadonlySet<grpc.Metadata>;
  /** The cities of unary calls. */
  calls: readonly string[];
  /** What it warned of in its log. */
  warnings: readonly string[];
}

/** @param options.beforeResponse awaited before each response. @param options.methods that it supports. */
export async function startCityService(
  options: {
    beforeResponse?: (city: string) => Promise<void> | void;
    methods?: readonly ("Locate" | "LocateStream")[];
  } = {},
): Promise<CityService> {
  const { beforeResponse = () => {}, methods = ["Locate", "LocateStream"] } = options;
  const streams = new Set<grpc.Metadata>();
  const calls: string[] = [];
  const warnings: string[] = [];
  const log = pino({ level: "warn" }, { write: (line) => void warnings.push(JSON.parse(line).msg) });
  const cityOf = async ({ addresses: [city = ""] }: LocateRequest__Output) => {
    await beforeResponse(city);
    if (city === "nowhere") throw new ServiceError("invalid", "no such city");
    if (city === "broken") throw new Error("unexpected");
    return { results: [{ place: { city } }] };
  };
  const handlers = {
    Locate: (request: LocateRequest__Output) => {
      calls.push(request.addresses[0] ?? "");
      return cityOf(request);
    },
    LocateStream: (request: LocateRequest__Output, metadata: grpc.Metadata) => {
      streams.add(metadata);
      return cityOf(request);
    },
  };
  const known = Object.fromEntries(methods.map((method) => [method, handlers[method]]));
  const server = await startGrpcServer({ host: "127.0.0.1", port: 0, services: [serve(GEO, known)], log });
  return { server, streams, calls, warnings };
}

/** Asks for one city. @returns its name, or the status of a failure. */
export function askForCity(
  ask: (request: LocateRequest, done: Done<LocateResponse__Output>) => unknown,
  city: string,
): Promise<string | grpc.status | undefined> {
  return new Promise((resolve) => {
    ask({ addresses: [city] }, (error, response) => resolve(error ? error.code : response?.results[0]?.place?.city));
  });
}
