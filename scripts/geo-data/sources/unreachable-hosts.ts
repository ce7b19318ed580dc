import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile } from "@geolookup/shared/runtime/files/replace-file.ts";
import { z } from "zod";

const RETRY_AFTER_MS = 60 * 60 * 1_000;
const MAX_HOSTS = 20;

/** When each host was found to be unreachable, RFC 3339, UTC. */
const remembered = z.record(z.string().max(300), z.iso.datetime());

/** Hosts that could not be reached in the last hour, remembered in a file, so that starts and the refresh don't wait for them again. */
export interface UnreachableHosts {
  /** When a host was last found to be unreachable, in milliseconds since the Unix epoch; null if it may be tried. */
  since(host: string): number | null;
  /** Remembers the hosts that were not reached now, and forgets those that were. */
  remember(unreached: readonly string[], reached: readonly string[]): Promise<void>;
}

/**
 * Reads the hosts remembered in a folder. If there is no readable file, every host may be tried.
 * @param nowMs milliseconds since the Unix epoch.
 * @param triesAll whether every host may be tried, whatever is remembered.
 */
export async function readUnreachableHosts(
  folder: string,
  nowMs: number,
  triesAll: boolean,
): Promise<UnreachableHosts> {
  const path = join(folder, "unreachable.json");
  const known = new Map<string, number>();
  try {
    const entries = Object.entries(remembered.parse(JSON.parse(await readFile(path, "utf8"))));
    for (const [host, text] of entries.slice(0, MAX_HOSTS)) {
      const since = Date.parse(text);
      // A time in the future comes from a wrong clock.
      if (since <= nowMs && nowMs - since < RETRY_AFTER_MS) known.set(host, since);
    }
  } catch {
    // Remembering hosts only saves time.
  }
  return {
    since: (host) => (triesAll ? null : (known.get(host) ?? null)),
    remember: async (unreached, reached) => {
      const before = JSON.stringify([...known]);
      for (const host of unreached) if (!known.has(host)) known.set(host, nowMs);
      for (const host of reached) known.delete(host);
      if (JSON.stringify([...known]) === before) return;
      const times = [...known].map(([host, since]) => [host, new Date(since).toISOString()]);
      try {
        await mkdir(folder, { recursive: true });
        await replaceFile(path, `${JSON.stringify(Object.fromEntries(times), null, 2)}\n`, 0o644);
      } catch {
        // A folder that can't be written is reported when data is installed.
      }
    },
  };
}
