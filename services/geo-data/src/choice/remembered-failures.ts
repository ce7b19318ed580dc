import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { replaceFile } from "@geolookup/shared/runtime/files/replace-file.ts";
import { z } from "zod";

const MAX_NAMES = 20;

/** When each failed, RFC 3339, UTC. */
const remembered = z.record(z.string().max(300), z.iso.datetime());

/** What failed recently, such as hosts that could not be reached, remembered in a file, so that it isn't tried again at once. */
export interface RememberedFailures {
  /** When it last failed, in milliseconds since the Unix epoch; null if it may be tried. */
  since(name: string): number | null;
  /** What may not be tried. */
  names(): string[];
  /** Remembers what failed now, and forgets what worked. */
  remember(failed: readonly string[], worked: readonly string[]): Promise<void>;
}

/**
 * Reads the failures remembered in a file. If it isn't readable, everything may be tried.
 * @param options.retryAfterMs how long each is remembered.
 * @param options.nowMs milliseconds since the Unix epoch.
 * @param options.triesAll whether everything may be tried, whatever is remembered.
 */
export async function readFailures(
  path: string,
  { retryAfterMs, nowMs, triesAll }: { retryAfterMs: number; nowMs: number; triesAll: boolean },
): Promise<RememberedFailures> {
  const known = new Map<string, number>();
  try {
    const entries = Object.entries(remembered.parse(JSON.parse(await readFile(path, "utf8"))));
    for (const [name, text] of entries.slice(0, MAX_NAMES)) {
      const since = Date.parse(text);
      // A time in the future comes from a wrong clock.
      if (since <= nowMs && nowMs - since < retryAfterMs) known.set(name, since);
    }
  } catch {
    // Remembering failures only saves time.
  }
  return {
    since: (name) => (triesAll ? null : (known.get(name) ?? null)),
    names: () => (triesAll ? [] : [...known.keys()]),
    remember: async (failed, worked) => {
      const before = JSON.stringify([...known]);
      for (const name of failed) if (!known.has(name)) known.set(name, nowMs);
      for (const name of worked) known.delete(name);
      if (JSON.stringify([...known]) === before) return;
      const times = [...known].map(([name, since]) => [name, new Date(since).toISOString()]);
      try {
        await mkdir(dirname(path), { recursive: true });
        await replaceFile(path, `${JSON.stringify(Object.fromEntries(times), null, 2)}\n`, 0o644);
      } catch {
        // A folder that can't be written is reported when data is installed.
      }
    },
  };
}
