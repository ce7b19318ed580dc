import { existsSync } from "node:fs";
import { join } from "node:path";
import { readEnvironment } from "@geolookup/shared/runtime/env/env.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { z } from "zod";
import { readArguments } from "../command-line.ts";
import { connectToNats, readNats } from "../nats-connection.ts";
import type { CommandContext } from "../run-command.ts";
import { backUp } from "./backup.ts";
import { keyForBackup } from "./backup-key.ts";

export const HELP = `Usage: make backup [ARGS="[FOLDER] [--without-signing-keys]"]

Saves keys, counts and signing keys of a running cluster in a new folder; default: backups/ and the
time (UTC). Keep it as safe as the signing keys, which are in it.

A backup is authenticated with the backup key: keep a copy of that file, apart from the backups.
Nobody can restore a backup without it, and anyone who has it can forge one.

Reads NATS_URL, SIGNING_KEYS_FILE and BACKUP_KEY_FILE (unset: backup-key in DATA_DIR, created if
missing).
`;

/** Backs up a cluster as the command line says. @throws StartError, CommandLineError */
export async function runBackup({ args, environment, print }: CommandContext): Promise<number> {
  const { values, positionals } = readArguments(args, { "without-signing-keys": { type: "boolean" } }, 1);
  const folder = positionals[0] || freeFolder("backups", "geolookup", new Date());
  // First, because the other settings don't matter without a cluster.
  readNats(environment);
  const ringFile = values["without-signing-keys"] ? null : ringFileOf(environment);
  const key = await keyForBackup(environment);
  if (key.isNew) print(`created the backup key ${key.path}\n`);
  await using opened = new AsyncDisposableStack();
  const nats = await connectToNats(environment, opened);
  const content = await backUp({ connection: await nats.connected(), folder, key, ringFile });
  const { keys, usageMessages, monthMessages, hasSigningKeys } = content;
  print(
    `${folder}: ${keys.events} key events, ${usageMessages} usage messages, ${monthMessages} monthly usage records, ` +
      `${hasSigningKeys ? "the signing keys" : "no signing keys"}\n` +
      `Keep the backup key ${key.path} (${key.id}) too, apart from the backups: a restore needs it.\n`,
  );
  return 0;
}

/** Where auth's ring is. @throws StartError if no setting says so. */
export function ringFileOf(environment: NodeJS.ProcessEnv): string {
  const { SIGNING_KEYS_FILE } = readEnvironment(z.object({ SIGNING_KEYS_FILE: z.string().optional() }), environment);
  if (SIGNING_KEYS_FILE === undefined)
    throw new StartError(
      "set SIGNING_KEYS_FILE to auth's signing keys, or leave them out with --without-signing-keys; " +
        "without them no key works after a restore",
    );
  return SIGNING_KEYS_FILE;
}

/** An unused name that sorts by time: `geolookup-20261121T143000Z` in a folder. */
export function freeFolder(within: string, name: string, now: Date): string {
  const path = join(within, `${name}-${now.toISOString().replace(/\.\d+|[:-]/g, "")}`);
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? path : `${path}-${number}`;
    if (!existsSync(free)) return free;
  }
}
