import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { FeedState } from "@geolookup/geo/geofeed/download-state.ts";
import type { FeedSource } from "@geolookup/geo/geofeed/feed-source.ts";
import { LINE_END, splitLine } from "@geolookup/geo/geofeed/line.ts";
import { type Prefix, parsePrefix } from "@geolookup/geo/geofeed/prefix.ts";
import { readGeofeed } from "@geolookup/geo/geofeed/read-geofeed.ts";
import { replaceFile } from "@geolookup/shared/runtime/files/replace-file.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { Response } from "undici";
import { type FetchPatience, fetchPersistently } from "../download/fetch-persistently.ts";
import { readBody } from "../download/save-body.ts";

/** The maximum size of a file that geo nodes read. */
const MAX_BYTES = 100_000_000;

/** The result of a download. */
export interface Download extends Pick<FeedState, "etag" | "lastModified"> {
  /** Null if the copy on disk is current. */
  lines: Omit<AllowedLines, "text"> | null;
  /** The publisher's max-age, in seconds. */
  maxAgeSeconds: number | null;
}

/**
 * Downloads a geofeed unless the copy on disk is current, and replaces the copy with the allowed lines. If anything is wrong
 * with the download, the copy stays.
 * @param before the copy on disk; null if there is none, or it was limited to other prefixes.
 * @throws StartError with one line for the operator that doesn't contain the URL's query; Error of the disk.
 */
export async function downloadFeed(
  { url, shownUrl, allowed }: FeedSource,
  file: string,
  before: Pick<FeedState, "etag" | "lastModified"> | null,
  patience: FetchPatience,
): Promise<Download> {
  const headers = {
    accept: "text/csv, text/plain, */*;q=0.1",
    ...(before?.etag ? { "if-none-match": before.etag } : {}),
    ...(before?.lastModified ? { "if-modified-since": before.lastModified } : {}),
  };
  const resource = { url, headers, server: "the server", setting: "GEOFEED_URLS" };
  const read = async (response: Response, alive: () => void) => ({
    response,
    // A copy that is current has none.
    body:
      response.status === 304 ? null : await readBody(response, { alive, maxBytes: MAX_BYTES, what: "the geofeed" }),
  });
  const { response, body } = await fetchPersistently(resource, patience, read).catch((error: Error) => {
    if (!(error instanceof StartError)) throw error;
    throw new StartError(error.message.replaceAll(url, shownUrl));
  });
  const found = {
    etag: response.headers.get("etag"),
    lastModified: response.headers.get("last-modified"),
    maxAgeSeconds: maxAgeOf(response.headers.get("cache-control")),
  };
  if (body === null)
    return {
      ...found,
      etag: found.etag ?? before?.etag ?? null,
      lastModified: found.lastModified ?? before?.lastModified ?? null,
      lines: null,
    };
  const { text, ...lines } = allowedLines(body.toString("utf8"), allowed);
  if (lines.used === 0)
    throw new StartError(
      lines.outside === 0
        ? `${shownUrl} has no line with a valid prefix`
        : `none of the ${lines.outside} prefixes of ${shownUrl} is within those that GEOFEED_URLS allows it`,
    );
  const bytes = Buffer.from(text);
  await readGeofeed(bytes, () => {}).catch((error: Error) => {
    throw new StartError(`${shownUrl} cannot be used: ${error.message}`);
  });
  await mkdir(dirname(file), { recursive: true });
  await replaceFile(file, text);
  return { ...found, lines };
}

function maxAgeOf(cacheControl: string | null): number | null {
  const seconds = /(?:^|[\s,])max-age=(\d{1,9})(?:$|[\s,])/i.exec(cacheControl ?? "")?.[1];
  return seconds === undefined ? null : Number(seconds);
}

/** The part of a geofeed that may be used. */
export interface AllowedLines {
  text: string;
  used: number;
  /** Lines with a valid prefix that isn't allowed. */
  outside: number;
}

/** Keeps only the lines with an allowed prefix: a publisher may only describe its own networks (RFC 9632). */
export function allowedLines(feed: string, allowed: readonly Prefix[]): AllowedLines {
  const lines: string[] = [];
  let outside = 0;
  for (const line of feed.replace(/^\ufeff/, "").split(LINE_END)) {
    const fields = splitLine(line);
    if (fields === null || typeof fields === "string") continue;
    const prefix = parsePrefix(fields.prefix);
    if (typeof prefix === "string") continue;
    if (allowed.some((outer) => contains(outer, prefix))) lines.push(line);
    else outside++;
  }
  return { text: lines.map((line) => `${line}\n`).join(""), used: lines.length, outside };
}

function contains(outer: Prefix, inner: Prefix): boolean {
  if (outer.words.length !== inner.words.length || outer.prefixLength > inner.prefixLength) return false;
  return outer.words.every((word, index) => {
    const compared = Math.min(32, outer.prefixLength - index * 32);
    return compared <= 0 || (word ^ (inner.words[index] as number)) >>> (32 - compared) === 0;
  });
}
