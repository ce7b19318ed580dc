import { join } from "node:path";
import { z } from "zod";
import { readWhole } from "../databases/whole-file.ts";

const MAX_BYTES = 1_000_000;

const time = z.iso.datetime();

const feedState = z.object({
  /** Of the copy on disk, for conditional requests. */
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
  /** The prefixes that the copy was limited to. */
  allowed: z.string(),
  /** RFC 3339, UTC. When the copy was last found to be current; null if there is none. */
  succeededAt: time.nullable(),
  nextAt: time,
  /** Why the last attempt failed: one line for the operator, without the URL's query; null if it was successful. */
  problem: z.string().nullable(),
  failuresInARow: z.number().int().nonnegative(),
});

const downloadState = z.object({ feeds: z.record(z.string(), feedState) });

/** What is known about a downloaded feed. */
export type FeedState = z.infer<typeof feedState>;
/** By name of the feed: its file's name without its position and `.csv`. */
export type DownloadState = z.infer<typeof downloadState>;

/** Beside the downloaded feeds. Geo nodes only read it. */
export function downloadStateFile(folder: string): string {
  return join(folder, ".downloads.json");
}

/** @throws Error if the file is missing or isn't the state of downloads. */
export async function readDownloadState(folder: string): Promise<DownloadState> {
  const file = await readWhole(downloadStateFile(folder), MAX_BYTES);
  return downloadState.parse(JSON.parse(String(file?.bytes)));
}
