import { dirname, join } from "node:path";
import { KEY_STREAM } from "@geolookup/shared/logs/keys/jetstream/stream.ts";
import { OPERATOR_STREAM } from "@geolookup/shared/logs/operators/jet-stream.ts";
import { USAGE_MONTHS_STREAM, USAGE_STREAM } from "@geolookup/shared/logs/usage/jetstream/stream.ts";
import { readEnvironment } from "@geolookup/shared/runtime/env/env.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { STORE_VARIABLES } from "@geolookup/shared/runtime/nats/access.ts";
import { z } from "zod";
import { FILES } from "../backup/archive.ts";
import { backUp } from "../backup/backup.ts";
import { keyForBackup, keyForRestore } from "../backup/backup-key.ts";
import { freeFolder, ringFileOf } from "../backup/run.ts";
import type { CommandContext } from "../command-line.ts";
import { connectToNats, readNats } from "../nats-connection.ts";
import { checkArchive } from "./check-archive.ts";
import { checkMessages } from "./check-messages.ts";
import { compareKeys, restoreKeys, wholeKeys } from "./keys.ts";
import { restoreAudit, restoreOperators } from "./operators.ts";
import { planRing } from "./ring.ts";
import { restoreCounts } from "./usage.ts";

/** What `restore` was asked for. */
export interface RestoreOptions {
  force?: boolean;
  addSigningKeys?: boolean;
  withoutSigningKeys?: boolean;
  leaveOutUnreadable?: boolean;
  unauthenticated?: boolean;
}

/** Restores the backup in a folder. @throws StartError */
export async function runRestore(
  { environment, print, printError }: CommandContext,
  folder: string,
  options: RestoreOptions,
): Promise<number> {
  const { NATS_REPLICAS: replicas } = readEnvironment(
    z.object({ NATS_REPLICAS: STORE_VARIABLES.NATS_REPLICAS }),
    environment,
  );
  readNats(environment);
  const key = options.unauthenticated ? null : await keyForRestore(environment);
  if (!key)
    printError(
      "WARNING: --unauthenticated: this backup may have been changed since it was made. Anyone who could write to its " +
        "folder may have planted keys that work, or raised counts.\n",
    );
  const archive = await checkArchive(folder, key);
  const { manifest } = archive;
  const messages = await checkMessages(folder, archive, options.leaveOutUnreadable === true);
  const withRing = manifest.hasSigningKeys && !options.withoutSigningKeys;
  const ring = withRing ? await planRing(join(folder, FILES.signingKeys), ringFileOf(environment)) : null;
  if (ring && ring.added.length > 0) {
    const listed = `the backup has signing keys that ${ringFileOf(environment)} lacks: ${ring.added.join(", ")}`;
    if (!options.addSigningKeys)
      throw new StartError(
        `${listed}. Anyone who has one can make keys that look like yours. Nothing was changed: add them with ` +
          "--add-signing-keys if they are yours, or restore --without-signing-keys",
      );
    print(`${listed}\n`);
  }
  const { count, first } = messages.unreadable;
  if (count > 0) print(`${count} unreadable messages are left out:\n${first.map((line) => `  ${line}\n`).join("")}`);

  await using opened = new AsyncDisposableStack();
  const nats = await connectToNats(environment, opened);
  const connection = await nats.connected();
  const compared = await compareKeys(connection, messages.keys);
  const moves = options.force && options.leaveOutUnreadable && count > 0;
  const current = moves && compared.kind === "holds_backup" ? await wholeKeys(connection, messages.keys) : compared;
  if (current.kind === "other") {
    if (!options.force)
      throw new StartError(
        `the stream ${KEY_STREAM} has ${current.events} events that are not those of this backup; nothing was ` +
          "changed. --force replaces them with the backup, after saving them",
      );
    const saved = freeFolder(dirname(folder), "before-restore", new Date());
    const ringFile = withRing ? ringFileOf(environment) : null;
    const savedWith = await keyForBackup(environment);
    if (savedWith.isNew) print(`created the backup key ${savedWith.path}\n`);
    await backUp({ connection, folder: saved, key: savedWith, ringFile });
    print(`the previous data was saved in ${saved}\n`);
  }

  if (ring) {
    await ring.apply();
    print(`${ring.summary}\n`);
  } else print("no signing keys were restored: auth needs the ones that signed the keys\n");
  for (const [stream, saved, what] of [
    [USAGE_STREAM, messages.usage(), "usage messages"],
    [USAGE_MONTHS_STREAM, messages.months(), "monthly usage records"],
  ] as const) {
    const { restored, merged } = await restoreCounts(nats, stream, saved, replicas);
    print(`restored ${restored} ${what}; ${merged} already existed and now have the greater of both counts\n`);
  }
  const operators = await restoreOperators(connection, messages.operators(), { replicas, at: manifest.createdAt });
  print(
    operators === null
      ? `the stream ${OPERATOR_STREAM} has other operators, which are left as they are\n`
      : `restored ${operators} operators as removed ones, because they may have been removed since the backup; add them again\n`,
  );
  const entries = await restoreAudit(connection, messages.audit(), replicas);
  print(`restored ${entries} entries of the audit trail, those that it lacked\n`);
  if (current.kind === "holds_backup") print("the stream already has all keys\n");
  else {
    const { keys } = messages;
    await restoreKeys({ connection, messages: keys.messages(), backup: keys, replicas, replaces: current.events });
    print(`restored ${keys.events} key events\n`);
  }
  return 0;
}
