import { existsSync } from "node:fs";
import { replaceFile } from "@geolookup/shared/runtime/files/replace-file.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { openWatchedFile, type WatchedFile } from "../files/watched-file.ts";
import type { RandomBytes } from "../keys/base62.ts";
import type { AuthMetrics } from "../metrics.ts";
import { newRingText, parseRing, type SigningRing } from "./signing-ring.ts";

/**
 * Opens the signing-key ring and watches its file.
 * @param options.whenMissing `make` creates a missing file (mode 0600, one random entry); `refuse` is for when keys were
 *   issued: a new ring would silently turn them into `bad_signature`.
 * @throws StartError
 */
export async function openSigningKeys(options: {
  path: string;
  whenMissing: "make" | "refuse";
  randomBytes: RandomBytes;
  log: Logger;
  metrics: AuthMetrics;
}): Promise<WatchedFile<SigningRing>> {
  const { path, log } = options;
  if (!existsSync(path)) {
    if (options.whenMissing === "refuse")
      throw new StartError(
        `the signing keys ${path} are missing, without which no issued key is known as ours; restore the file from ` +
          "a backup (in a cluster, all auth nodes share one), or set SIGNING_KEYS_FILE to where it is",
      );
    await createRingFile(path, newRingText(options.randomBytes));
    log.info({ path }, "made new signing keys; keep a backup of this file");
  }
  return openWatchedFile({ path, name: "signing keys", parse: parseRing, log, metrics: options.metrics });
}

/** Creates the file atomically and durably: the keys signed with it must survive a power loss. */
async function createRingFile(path: string, text: string): Promise<void> {
  try {
    await replaceFile(path, text);
  } catch (error) {
    throw new StartError(`can't create the signing keys ${path}: ${(error as Error).message}`);
  }
}
