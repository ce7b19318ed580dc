import { existsSync } from "node:fs";
import { join } from "node:path";
import { readEnvironment } from "@geolookup/shared/runtime/env/env.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { z } from "zod";
import { type CommandContext, printResult } from "../command-line.ts";
import { connectToNats, readNats } from "../nats-connection.ts";
import { backUp } from "./backup.ts";
import { keyForBackup } from "./backup-key.ts";

/** Backs up a cluster as the command line says. @throws StartError, CommandLineError */
export async function runBackup(
  context: CommandContext,
  named: string | undefined,
  options: { withoutSigningKeys?: boolean; json?: boolean },
): Promise<number> {
  const { environment, printError } = context;
  const folder = named || freeFolder("backups", "geolookup", new Date());
  // First, because the other settings don't matter without a cluster.
  readNats(environment);
  const ringFile = options.withoutSigningKeys ? null : ringFileOf(environment);
  const key = await keyForBackup(environment);
  if (key.isNew) printError(`created the backup key ${key.path}\n`);
  await using opened = new AsyncDisposableStack();
  const nats = await connectToNats(environment, opened);
  const content = await backUp({ connection: await nats.connected(), folder, key, ringFile });
  const { keys, usageMessages, monthMessages, operatorMessages, auditMessages, hasSigningKeys } = content;
  const text =
    `${folder}: ${keys.events} key events, ${usageMessages} usage messages, ${monthMessages} monthly usage records, ` +
    `${operatorMessages} events of operators, ${auditMessages} audit entries, ` +
    `${hasSigningKeys ? "the signing keys" : "no signing keys"}\n` +
    `Keep the backup key ${key.path} (${key.id}) too, apart from the backups: a restore needs it.\n`;
  printResult(context, { json: { folder, ...content, backupKey: { path: key.path, id: key.id } }, text }, options.json);
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
