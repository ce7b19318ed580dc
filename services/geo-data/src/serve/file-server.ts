import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import { openRegularFile } from "@geolookup/geo/databases/whole-file.ts";
import { signatureOf } from "@geolookup/shared/runtime/files/watch-files.ts";
import { requestLimits } from "@geolookup/shared/runtime/http/client-limits.ts";
import { closeHttpServer } from "@geolookup/shared/runtime/http/close-server.ts";
import { listen } from "@geolookup/shared/runtime/http/listen.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { GEO_DATA_FILES } from "@geolookup/shared/runtime/tls/allowed-callers.ts";
import type { InternalTls } from "@geolookup/shared/runtime/tls/internal-tls.ts";
import { createInternalHttpServer } from "@geolookup/shared/runtime/tls/secure-server.ts";
import { FILES_PATH, MANIFEST_PATH } from "../follow/manifest.ts";
import type { Published } from "./publish.ts";

/** Limits for clients. Geo nodes open a connection for each request, and download one file at a time. */
const LIMITS = {
  maxConnections: 512,
  maxHeaderBytes: 8 * 1024,
  requestTimeoutMs: 5_000,
  /** Without progress of a response. */
  stalledMs: 30_000,
  /** Time for any response, in addition to what its bytes take at the minimum rate. */
  responseTimeoutMs: 60_000,
  minBytesPerMs: 50,
} as const;
type Limits = { readonly [Name in keyof typeof LIMITS]: number };

const CLOSE_TIMEOUT_MS = 1_000;

/** What was requested, for metrics. */
export type Resource = "manifest" | "file" | "other";

/**
 * Serves what is published over HTTP: `/manifest.json` with an ETag, and `/files/SHA256`.
 * @param options.published null until there is something.
 * @param options.onResponse called with each response, and the bytes of the body that were sent.
 * @param options.tls accept only geo nodes, over TLS. Null: anyone, over plain HTTP.
 * @param options.limits for tests.
 * @throws StartError if the port is in use.
 */
export async function startFileServer(options: {
  host: string;
  port: number;
  tls: InternalTls | null;
  log: Logger;
  published: () => Published | null;
  onResponse: (resource: Resource, status: number, bytes: number) => void;
  limits?: Partial<Limits>;
}) {
  const { tls, log, published, onResponse } = options;
  const limits: Limits = { ...LIMITS, ...options.limits };
  const used = new WeakSet<Socket>();
  const server = createInternalHttpServer(requestLimits(limits), { service: GEO_DATA_FILES, tls, log }, (req, res) => {
    // One request per connection: a client can't queue others behind a large response.
    if (used.has(req.socket)) return void req.socket.destroy();
    used.add(req.socket);
    res.setHeader("Connection", "close");
    const current = published();
    const file = fileOf(req, current);
    const timeoutMs = limits.responseTimeoutMs + (file?.size ?? 0) / limits.minBytesPerMs;
    const timer = setTimeout(() => res.destroy(), timeoutMs);
    res.setTimeout(limits.stalledMs, () => res.destroy());
    let sent = 0;
    res.once("close", () => {
      clearTimeout(timer);
      onResponse(resourceOf(req), res.statusCode, sent);
    });
    if (req.method !== "GET") return void res.writeHead(405, { Allow: "GET" }).end();
    if (req.url === MANIFEST_PATH) {
      sent = sendManifest(req, res, current);
      return;
    }
    if (file === undefined) return void res.writeHead(404).end();
    sendFile(res, file, (bytes) => {
      sent += bytes;
    }).catch(() => res.destroy());
  });
  server.maxConnections = limits.maxConnections;
  await listen(server, { host: options.host, port: options.port, setting: "PORT" });
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () => closeHttpServer(server, CLOSE_TIMEOUT_MS),
  };
}

function resourceOf({ url = "" }: IncomingMessage): Resource {
  if (url === MANIFEST_PATH) return "manifest";
  return url.startsWith(FILES_PATH) ? "file" : "other";
}

function fileOf({ url = "" }: IncomingMessage, published: Published | null) {
  return url.startsWith(FILES_PATH) ? published?.files.get(url.slice(FILES_PATH.length)) : undefined;
}

function sendManifest(req: IncomingMessage, res: ServerResponse, published: Published | null): number {
  if (published === null) {
    res.writeHead(503).end();
    return 0;
  }
  const { body, etag } = published;
  const headers = { ETag: etag, "Cache-Control": "no-cache" };
  if (req.headers["if-none-match"] === etag) {
    res.writeHead(304, headers).end();
    return 0;
  }
  res.writeHead(200, { ...headers, "Content-Type": "application/json", "Content-Length": body.length }).end(body);
  return body.length;
}

type Served = Published["files"] extends ReadonlyMap<string, infer File> ? File : never;

/** Sends a file, unless it has changed since it was hashed. */
async function sendFile(res: ServerResponse, { path, signature, size }: Served, onBytes: (count: number) => void) {
  const opened = await openRegularFile(path).catch(() => null);
  if (opened === null || signatureOf(opened.stats) !== signature) {
    await opened?.file.close();
    return void res.writeHead(404).end();
  }
  const headers = { "Content-Type": "application/octet-stream", "Content-Length": size };
  res.writeHead(200, { ...headers, "Cache-Control": "max-age=31536000, immutable" });
  const content = opened.file.createReadStream();
  content.on("data", (chunk) => onBytes(chunk.length));
  await pipeline(content, res);
}
