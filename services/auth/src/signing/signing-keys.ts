import { existsSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "@geolookup/shared/runtime/files/replace-file.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { openWatchedFile, type WatchedFile } from "../files/watched-file.ts";
import type { AuthMetrics } from "../metrics.ts";
import type { RandomBytes } from "./signature.ts";
import { newRingText, parseRing, type SigningRing } from "./signing-ring.ts";

/** The default file on embedded stores. */
export function signingKeysFileIn(dataDir: string): string {
  return join(dataDir, "signing-keys.json");
}

/**
 * Opens the signing-key ring and watches its file.
 * @param options.whenMissing `create` a file (mode 0600, one random entry), or `refuse` to start: with a new ring, every
 *   key issued before would become `bad_signature`.
 * @param options.required the IDs of entries that the file must always have, because they signed keys.
 * @throws StartError
 */
export async function openSigningKeys(options: {
  path: string;
  whenMissing: "create" | "refuse";
  required: ReadonlySet<string>;
  randomBytes: RandomBytes;
  log: Logger;
  metrics: AuthMetrics;
}): Promise<WatchedFile<SigningRing>> {
  const { path, log } = options;
  if (!existsSync(path)) {
    if (options.whenMissing === "refuse")
      throw new StartError(
        `the signing keys ${path} are missing. Without them, no issued key is valid. Restore the file from a backup, or ` +
          "set SIGNING_KEYS_FILE to its path. In a cluster, all auth nodes share one file",
      );
    await createRingFile(path, newRingText(options.randomBytes));
    log.info({ path }, "signing keys created; back up this file");
  }
  return openWatchedFile({
    path,
    name: "signing keys",
    parse: (text) => parseWholeRing(text, options.required),
    log,
    metrics: options.metrics,
  });
}

/** @throws Error like parseRing, or naming the entries that the ring lacks. */
function parseWholeRing(text: string, required: ReadonlySet<string>): SigningRing {
  const ring = parseRing(text);
  const lacking = [...required].filter((id) => !ring.byId.has(id));
  if (lacking.length === 0) return ring;
  throw new Error(
    `it lacks ${lacking.join(", ")}, which signed keys: they would all be invalid. Put back the previous file, or, to ` +
      `invalidate these keys, run \`./geolookup rotate signing-key --drop ${lacking[0]}\``,
  );
}

/** Creates the file atomically and durably: the keys signed with it must survive a power loss. */
async function createRingFile(path: string, text: string): Promise<void> {
  try {
    await replaceFile(path, text);
  } catch (error) {
    throw new StartError(`can't create the signing keys ${path}: ${(error as Error).message}`);
  }
}
