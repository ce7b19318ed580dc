import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { withActive, withDropped, withNewEntry } from "@geolookup/auth/signing/ring-changes.ts";
import { ID_LENGTH, parseRing } from "@geolookup/auth/signing/signing-ring.ts";
import { readEnvironment } from "@geolookup/shared/runtime/env/env.ts";
import { replaceFile } from "@geolookup/shared/runtime/files/replace-file.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { z } from "zod";
import { type CommandContext, CommandLineError } from "../command-line.ts";
import { exportAdvice, findClusterIn, runningFolders } from "../running-services.ts";

/** Auth checks its files every second; a busy one may take longer. */
const KNOWN_EVERYWHERE_MS = 3_000;

/**
 * Rotates the signing key of a ring file: in two steps, since not all auth nodes read the file at the same moment, and
 * every node must know a key from its first request.
 * @param options.drop the ID of an entry to drop instead.
 * @param options.knownEverywhereMs how long every auth node may take to read a change of its file.
 * @param options.distribute called after each change: copies the file to auth nodes that have copies of it.
 * @throws CommandLineError; StartError: the ring is then still valid, at most with an added entry that only verifies.
 */
export async function runRotate(
  { environment, print }: CommandContext,
  options: { drop?: string; knownEverywhereMs?: number; distribute?: () => Promise<void> } = {},
): Promise<number> {
  const { drop, knownEverywhereMs = KNOWN_EVERYWHERE_MS, distribute = async () => undefined } = options;
  if (drop !== undefined && !new RegExp(`^[0-9A-Za-z]{${ID_LENGTH}}$`).test(drop))
    throw new CommandLineError(`--drop needs the ID of an entry: ${ID_LENGTH} letters or digits`);
  const env = readEnvironment(
    z.object({ SIGNING_KEYS_FILE: z.string().optional(), DATA_DIR: z.string().default("data") }),
    environment,
  );
  const cluster = env.SIGNING_KEYS_FILE === undefined ? findClusterIn(env.DATA_DIR, environment) : null;
  if (cluster) throw new StartError(exportAdvice(cluster));
  const path = env.SIGNING_KEYS_FILE ?? join(env.DATA_DIR, "signing-keys.json");
  if (drop !== undefined) {
    await change(path, environment, (text) => ({ text: withDropped(text, drop, randomBytes), result: null }));
    await distribute();
    print(`all keys signed with ${drop} are invalid from now on. Back up this file: ${path}\n`);
    return 0;
  }
  const id = await change(path, environment, (text) => {
    const added = withNewEntry(text, randomBytes);
    return { text: added.text, result: added.id };
  });
  print(
    `the entry ${id} was added to ${path}; waiting ${knownEverywhereMs / 1_000} s: auth nodes read the file every second\n`,
  );
  await distribute();
  await delay(knownEverywhereMs);
  // Reread: keeps what another command has added in the meantime.
  const before = await change(path, environment, (text) => ({
    text: withActive(text, id),
    result: [...parseRing(text).byId.keys()],
  }));
  await distribute();
  print(
    `new keys are signed with ${id} from now on; keys signed with ${before.filter((each) => each !== id).join(", ")} keep working\n`,
  );
  print("back up this file: without it, no key works\n");
  return 0;
}

async function change<Result>(
  path: string,
  environment: NodeJS.ProcessEnv,
  edit: (text: string) => { text: string; result: Result },
): Promise<Result> {
  try {
    const { text, result } = edit(await readFile(path, "utf8"));
    await replaceFile(path, text);
    return result;
  } catch (error) {
    const folders = runningFolders(environment);
    throw new StartError(
      `${path} can't be changed: ${(error as Error).message}. The signing keys are unchanged. Set SIGNING_KEYS_FILE to their ` +
        `file, or DATA_DIR to the service's data folder${folders.length === 0 ? "" : `: ${folders.join(" or ")}`}`,
    );
  }
}
