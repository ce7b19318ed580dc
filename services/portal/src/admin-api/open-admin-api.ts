import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { IDEMPOTENCY } from "@geolookup/shared/runtime/grpc/services.ts";
import { closeHttpServer } from "@geolookup/shared/runtime/http/close-server.ts";
import { listen } from "@geolookup/shared/runtime/http/listen.ts";
import express, { type Router } from "express";
import type { Services } from "../deployment/services.ts";
import { API_PATH } from "./api-router.ts";
import type { IdempotencyStore } from "./idempotency.ts";

/** Where the API is served. */
export interface AdminApiSettings {
  /** Null: no port of its own. */
  port: number | null;
  host: string;
  onDocsHost: boolean;
}

const CLOSE_TIMEOUT_MS = 2_000;
const LISTENER_LIMITS = { headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 1_000 };
const MAX_CONNECTIONS = 500;
const SILENCE_TIMEOUT_MS = 20_000;

/** Serves the API on a port of its own. @throws StartError if the port is taken. */
export async function openAdminPort(
  { host, port }: { host: string; port: number },
  api: Router,
): Promise<{ port: number } & AsyncDisposable> {
  const app = express();
  app.disable("x-powered-by");
  app.set("query parser", false);
  app.set("case sensitive routing", true);
  app.use(API_PATH, api);
  const server = createServer(LISTENER_LIMITS, app);
  server.maxConnections = MAX_CONNECTIONS;
  server.timeout = SILENCE_TIMEOUT_MS;
  await listen(server, { host, port, setting: "ADMIN_API_PORT" });
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () => closeHttpServer(server, CLOSE_TIMEOUT_MS),
  };
}

/** The records of Idempotency-Keys, which auth stores. */
export function idempotencyStore({ auth }: Pick<Services, "auth">): IdempotencyStore {
  return {
    async get(name) {
      const { json = "", revision = 0 } = await auth(IDEMPOTENCY.GetRecord, { name });
      return { json, revision };
    },
    async put(name, json, revision) {
      const stored = await auth(IDEMPOTENCY.PutRecord, { name, json, revision });
      return stored.revision ?? 0;
    },
  };
}
