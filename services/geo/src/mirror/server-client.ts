import { createHash } from "node:crypto";
import { open, rename } from "node:fs/promises";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { connectOptions } from "@geolookup/shared/runtime/tls/connect-options.ts";
import type { InternalTls } from "@geolookup/shared/runtime/tls/internal-tls.ts";
import { failedConnection } from "./failed-connection.ts";
import {
  type Content,
  FILES_PATH,
  MANIFEST_PATH,
  MAX_MANIFEST_BYTES,
  type Manifest,
  manifestSchema,
} from "./manifest.ts";

/** A response is aborted when nothing arrives for this long. */
const SILENCE_MS = 10_000;
const MANIFEST_TIMEOUT_MS = 15_000;
/** A file may take half a minute in addition to what its bytes take at this rate. */
const FILE_TIMEOUT_MS = 30_000;
const MIN_BYTES_PER_MS = 100;
const MAX_HEADER_BYTES = 8 * 1024;

/** A geo data server, and how to connect to it. */
export interface GeoDataServer {
  /** Without a trailing slash. */
  url: string;
  /** For connections to it, whatever the scheme of its URL. Null: none. */
  tls: InternalTls | null;
}

/** A manifest with the ETag to ask for a newer one. */
export interface FetchedManifest {
  manifest: Manifest;
  etag: string;
}

/** The server didn't respond, or its response can't be used. The message is one line for the operator. */
export class ServerResponseError extends Error {}

/**
 * Fetches the manifest of a geo data server. Redirects aren't followed.
 * @param etag of the manifest that is known; null for none.
 * @returns null if the known manifest is current.
 * @throws ServerResponseError; errors of the system and the signal's as they are.
 */
export async function fetchManifest(
  server: GeoDataServer,
  etag: string | null,
  signal: AbortSignal,
): Promise<FetchedManifest | null> {
  const res = await get(server, MANIFEST_PATH, { timeoutMs: MANIFEST_TIMEOUT_MS, etag, signal });
  if (res.statusCode === 304 && etag !== null) {
    res.resume();
    return null;
  }
  refuseOthers(res);
  const chunks: Buffer[] = [];
  let received = 0;
  for await (const chunk of res as AsyncIterable<Buffer>) {
    received += chunk.length;
    if (received > MAX_MANIFEST_BYTES)
      throw new ServerResponseError(`its manifest is larger than ${MAX_MANIFEST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return { manifest: parse(Buffer.concat(chunks)), etag: etagOf(res) };
}

/**
 * Downloads a file by its hash. Afterwards, the path has the whole file, or nothing.
 * @throws like fetchManifest; disk errors as they are.
 */
export async function downloadFile(
  server: GeoDataServer,
  { sha256, size }: Content,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const timeoutMs = FILE_TIMEOUT_MS + Math.ceil(size / MIN_BYTES_PER_MS);
  const res = await get(server, `${FILES_PATH}${sha256}`, { timeoutMs, etag: null, signal });
  refuseOthers(res);
  const partial = `${path}.part`;
  const hash = createHash("sha256");
  let received = 0;
  const file = await open(partial, "w");
  try {
    for await (const chunk of res as AsyncIterable<Buffer>) {
      received += chunk.length;
      if (received > size) throw new ServerResponseError(`it sent more than the ${size} bytes of a file`);
      hash.update(chunk);
      await file.writeFile(chunk);
    }
  } catch (error) {
    const isCutOff = (error as NodeJS.ErrnoException).code === "ECONNRESET";
    throw isCutOff
      ? new ServerResponseError(`the connection ended before a file of ${size} bytes was complete`)
      : error;
  } finally {
    await file.close();
  }
  if (received < size) throw new ServerResponseError(`a file has ${received} bytes instead of ${size}`);
  if (hash.digest("hex") !== sha256) throw new ServerResponseError("a file has another SHA-256 than its manifest says");
  await rename(partial, path);
}

async function get(
  { url, tls }: GeoDataServer,
  path: string,
  { timeoutMs, etag, signal }: { timeoutMs: number; etag: string | null; signal: AbortSignal },
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = tls || url.startsWith("https:") ? requestHttps : requestHttp;
  const req = request(`${tls ? url.replace(/^http:/, "https:") : url}${path}`, {
    ...(tls ? connectOptions(tls, "geo-data") : {}),
    // Each request finds the server's current address.
    agent: false,
    headers: etag === null ? {} : { "if-none-match": etag },
    maxHeaderSize: MAX_HEADER_BYTES,
    signal,
  });
  const end = (problem: string) => req.destroy(new ServerResponseError(problem));
  const timer = setTimeout(end, timeoutMs, `its response took longer than ${timeoutMs / 1_000} s`);
  req.setTimeout(SILENCE_MS, () => end(`nothing arrived for ${SILENCE_MS / 1_000} s`));
  req.once("close", () => clearTimeout(timer));
  let response: IncomingMessage | undefined;
  // Once there is a response, its reader gets the error.
  req.on("error", (error) => {
    if (response) return void response.destroy(error);
    const problem = failedConnection(error, tls !== null);
    reject(problem === null ? error : new ServerResponseError(problem));
  });
  req.once("response", (res) => {
    response = res;
    resolve(res);
  });
  req.end();
  return await promise;
}

function refuseOthers(res: IncomingMessage): void {
  if (res.statusCode === 200) return;
  res.destroy();
  throw new ServerResponseError(`it responded with status ${res.statusCode}`);
}

function etagOf({ headers: { etag } }: IncomingMessage): string {
  if (etag !== undefined && /^"[\x21\x23-\x7e]{1,100}"$/.test(etag)) return etag;
  throw new ServerResponseError("its manifest has no valid ETag");
}

function parse(bytes: Buffer): Manifest {
  let document: unknown;
  try {
    document = JSON.parse(bytes.toString("utf8"));
  } catch {
    throw new ServerResponseError("its manifest isn't JSON");
  }
  const parsed = manifestSchema.safeParse(document);
  if (parsed.success) return parsed.data;
  throw new ServerResponseError(`its manifest is invalid: ${parsed.error.issues[0]?.path.join(".") || "the document"}`);
}
