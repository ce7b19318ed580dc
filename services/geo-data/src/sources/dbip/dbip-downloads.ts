import { createReadStream, createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { Database } from "@geolookup/geo/databases/database.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { fetchPersistently, type Resource } from "../../download/fetch-persistently.ts";
import { saveBody } from "../../download/save-body.ts";
import { checkDownloaded, type SourceOptions } from "../part.ts";

export interface DbipOptions extends SourceOptions {
  /** Without a trailing slash. */
  url: string;
  /** The maximum size of a file, downloaded and unpacked. */
  maxBytes: number;
}

/** A server's description of a month's file; null for what it doesn't state. */
export interface MonthlyFile {
  etag: string | null;
  lastModified: string | null;
  length: string | null;
}

/** A month's file is built around the first of that month. */
const MAX_DAYS_EARLY = 31;
const DAY_SECONDS = 24 * 60 * 60;

/**
 * Asks for a month's file without downloading it.
 * @param installed the file of that month that is installed, to ask only whether it has changed.
 * @throws StartError
 */
export async function askForMonth(
  { name, month }: { name: string; month: string },
  installed: { lastModified: string | null } | null,
  options: DbipOptions,
): Promise<MonthlyFile | "absent" | "unchanged"> {
  const since = installed?.lastModified;
  const resource = resourceOf(name, month, options);
  return fetchPersistently(
    {
      ...resource,
      method: "HEAD",
      headers: { ...resource.headers, ...(since ? { "if-modified-since": since } : {}) },
      expectedStatuses: [404],
    },
    options.findPatience ?? options.patience,
    async ({ status, headers }) => {
      if (status === 404) return "absent";
      if (status === 304) return "unchanged";
      return {
        etag: headers.get("etag"),
        lastModified: headers.get("last-modified"),
        length: headers.get("content-length"),
      };
    },
    options.now,
  );
}

/**
 * Downloads a month's file into a folder, unpacks it and checks what it is.
 * @returns the response's Last-Modified header.
 * @throws StartError
 */
export async function fetchMonth(
  { name, month, databaseType }: { name: string; month: string; databaseType: string },
  folder: string,
  options: DbipOptions,
): Promise<{ lastModified: string | null }> {
  const archive = join(folder, "database.gz");
  const database = join(folder, `${name}.mmdb`);
  const what = `what DB-IP sent as ${name} ${month}`;
  const lastModified = await fetchPersistently(
    resourceOf(name, month, options),
    options.patience,
    async (response, alive) => {
      await saveBody(response, archive, {
        hash: "sha256",
        encoding: "hex",
        alive,
        progress: options.progress(`${name} ${month}`),
        maxBytes: options.maxBytes,
      });
      return response.headers.get("last-modified");
    },
    options.now,
  );
  options.say(`${name} ${month}: downloaded, unpacking`);
  await unpack(archive, database, what, options.maxBytes);
  await rm(archive);
  await checkDownloaded(database, new RegExp(`^${databaseType}\\b`), (opened) => problemOfAge(opened, month));
  return { lastModified };
}

/** @throws StartError if it isn't gzip, is cut off or damaged, or unpacks to more than the limit. */
async function unpack(archive: string, target: string, what: string, maxBytes: number): Promise<void> {
  let unpacked = 0;
  const limited = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      unpacked += chunk.length;
      if (unpacked > maxBytes)
        done(new StartError(`${what} unpacks to more than ${maxBytes} bytes; nothing was changed`));
      else done(null, chunk);
    },
  });
  try {
    await pipeline(createReadStream(archive), createGunzip(), limited, createWriteStream(target));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!/^Z_/.test(code ?? "")) throw error;
    throw new StartError(`${what} isn't a complete gzip file (${message}); nothing was changed; run it again later`);
  }
}

function problemOfAge({ info: { buildUnixSeconds } }: Database, month: string): string | null {
  const day = new Date(buildUnixSeconds * 1_000).toISOString().slice(0, 10);
  return buildUnixSeconds < firstMsOf(month) / 1_000 - MAX_DAYS_EARLY * DAY_SECONDS
    ? `it was built on ${day}, too early for that month`
    : null;
}

function resourceOf(name: string, month: string, { url }: DbipOptions): Resource {
  return {
    url: `${url}/${name}-${month}.mmdb.gz`,
    // The file is compressed already. Compressing it again would hide its length.
    headers: { "accept-encoding": "identity" },
    server: new URL(url).host,
    setting: "GEO_DATA_SOURCE and GEO_DATA_URL",
  };
}

/** The month of a moment (UTC), as in the names of DB-IP's files: `2026-11`. */
export function monthOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7);
}

/** The month before: `2025-12` for `2026-01`. */
export function previousMonth(month: string): string {
  return monthOf(firstMsOf(month) - 1);
}

/** When a month starts (UTC), milliseconds since the Unix epoch. */
export function firstMsOf(month: string): number {
  return Date.parse(`${month}-01T00:00:00Z`);
}
