import { callUnary, openClient } from "@geolookup/shared/runtime/grpc/client.ts";
import { GEO } from "@geolookup/shared/runtime/grpc/services.ts";

const DEADLINE_MS = 60_000;

/** The city that a geo node has for an address. @param port of its gRPC server, on 127.0.0.1. */
export async function locateCity(port: number, address: string): Promise<string | undefined> {
  using client = openClient(`127.0.0.1:${port}`);
  const { records } = await callUnary(client, GEO.Locate, { addresses: [address] }, { deadlineMs: DEADLINE_MS });
  return JSON.parse(`{${records?.members[0]}}`).city ?? undefined;
}
