import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { connectOptions, type InternalTls } from "@geolookup/shared/runtime/tls/internal-tls.ts";
import type { Response } from "undici";
import { type FetchPatience, fetchPersistently, type Resource } from "../download/fetch-persistently.ts";
import type { GuardedFetch } from "../download/guarded-fetch.ts";
import { readBody } from "../download/save-body.ts";
import { downloadVerified } from "../download/sha256.ts";
import {
  type Content,
  FILES_PATH,
  MANIFEST_PATH,
  MAX_MANIFEST_BYTES,
  type Manifest,
  manifestSchema,
} from "./manifest.ts";

const MANIFEST_TIMEOUT_MS = 15_000;
/** A file may take half a minute in addition to what its bytes take at this rate. */
const FILE_TIMEOUT_MS = 30_000;
const MIN_BYTES_PER_MS = 100;
/** One attempt: the next poll is the next one. */
const PATIENCE = { attempts: 1, retryDelayMs: 0, silenceMs: 10_000, longestWaitMs: 0 };
const MAX_HEADER_BYTES = 8 * 1024;
const NO_PROGRESS = { show: () => {}, end: () => {} };

/** A manifest with the ETag to ask for a newer one. */
export interface FetchedManifest {
  manifest: Manifest;
  etag: string;
}

/** Connections to a geo data server. */
export type ServerClient = ReturnType<typeof createServerClient>;

/**
 * Connects to a geo data server. Redirects aren't followed. What its methods throw is a StartError, or an error of the disk.
 * @param url without a trailing slash.
 * @param tls for connections to it, whatever the scheme of its URL. Null: none.
 * @param closing ends requests.
 */
export function createServerClient(url: string, tls: InternalTls | null, closing: AbortSignal) {
  const fetch = fetchFrom(tls, closing);
  const resource = (path: string, headers: Record<string, string> = {}): Resource => ({
    url: `${tls ? url.replace(/^http:/, "https:") : url}${path}`,
    headers: { ...headers, "accept-encoding": "identity" },
    server: "the geo data server",
    setting: "GEO_DATA_FROM",
    // Statuses that are retried with another source are failures here.
    explain: ({ status }) =>
      status === 200 || (status === 304 && "if-none-match" in headers) ? null : `it responded with status ${status}`,
  });
  const patience = (totalMs: number): FetchPatience => ({ ...PATIENCE, totalMs, fetch });
  return {
    /**
     * @param etag of the manifest that is known; null for none.
     * @returns null if the known manifest is current.
     */
    fetchManifest: (etag: string | null): Promise<FetchedManifest | null> =>
      fetchPersistently(
        resource(MANIFEST_PATH, etag === null ? {} : { "if-none-match": etag }),
        patience(MANIFEST_TIMEOUT_MS),
        readManifest,
      ),
    /** Downloads a file by its hash. */
    download: async ({ sha256, size }: Content, path: string): Promise<void> => {
      await downloadVerified(resource(`${FILES_PATH}${sha256}`), path, {
        sha256,
        different: "a file has another SHA-256 than its manifest says",
        patience: patience(FILE_TIMEOUT_MS + Math.ceil(size / MIN_BYTES_PER_MS)),
        progress: () => NO_PROGRESS,
        label: "",
        maxBytes: size,
        now: Date.now,
      });
    },
  };
}

/** Only to the server itself, and only with its certificate if there is TLS. */
function fetchFrom(tls: InternalTls | null, closing: AbortSignal): GuardedFetch {
  const load = async () => {
    const undici = await import("undici");
    // Each connection uses the current certificates, and finds the server's current address.
    const connect: import("undici").buildConnector.connector = (target, callback) => {
      if (!tls) return undici.buildConnector({})(target, callback);
      const options = connectOptions(tls, "geo-data");
      return undici.buildConnector(options)({ ...target, servername: options.servername }, callback);
    };
    return { undici, dispatcher: new undici.Agent({ connect, pipelining: 0, maxHeaderSize: MAX_HEADER_BYTES }) };
  };
  let loaded: ReturnType<typeof load> | undefined;
  return async (url, _server, { signal, ...init }) => {
    loaded ??= load();
    const { undici, dispatcher } = await loaded;
    const options = { ...init, redirect: "manual", signal: AbortSignal.any([signal, closing]), dispatcher } as const;
    return await undici.fetch(url, options).catch((error: Error) => {
      const { cause } = error;
      const problem = cause instanceof Error ? failedConnection(cause, tls !== null) : null;
      throw problem === null ? error : new Error(problem);
    });
  };
}

async function readManifest(response: Response, alive: () => void): Promise<FetchedManifest | null> {
  if (response.status === 304) return null;
  const manifest = parse(await readBody(response, { alive, maxBytes: MAX_MANIFEST_BYTES, what: "its manifest" }));
  const etag = response.headers.get("etag");
  if (etag === null || !/^"[\x21\x23-\x7e]{1,100}"$/.test(etag)) throw new StartError("its manifest has no valid ETag");
  return { manifest, etag };
}

function parse(bytes: Buffer): Manifest {
  let document: unknown;
  try {
    document = JSON.parse(bytes.toString("utf8"));
  } catch {
    throw new StartError("its manifest isn't JSON");
  }
  const parsed = manifestSchema.safeParse(document);
  if (parsed.success) return parsed.data;
  throw new StartError(`its manifest is invalid: ${parsed.error.issues[0]?.path.join(".") || "the document"}`);
}

const NO_TLS = "it doesn't use TLS; set the INTERNAL_TLS_… variables for it too";
const REFUSED = "it refused this node's certificate; its log says why";
const UNTRUSTED = "its certificate isn't from a CA in INTERNAL_TLS_CA_FILE";

/** What OpenSSL's and Node's errors mean for a client with TLS between processes. */
const REASONS: [pattern: RegExp, reason: string][] = [
  [/wrong version number|packet length too long/, NO_TLS],
  [/\balert\b/, REFUSED],
  [/^(?:UNABLE_TO_|SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED|CERT_SIGNATURE_FAILURE)/, UNTRUSTED],
  [/^CERT_HAS_EXPIRED/, "its certificate has expired"],
];

/**
 * Why a geo data server sent no response, for the operator.
 * @param isSecure whether the connection was to use TLS between processes.
 * @returns null if the error itself explains it.
 */
function failedConnection({ code = "", message }: NodeJS.ErrnoException, isSecure: boolean): string | null {
  if (["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"].includes(code))
    return isSecure
      ? "it closed the connection without a response; if it refuses this node's certificate, its log says why"
      : "it closed the connection without a response; if it uses TLS, set the INTERNAL_TLS_… variables here too";
  if (!isSecure) return null;
  return REASONS.find(([pattern]) => pattern.test(`${code} ${message}`))?.[1] ?? null;
}
