import { type AddCommands, JSON_OPTION, requiredArgument } from "../command-line.ts";
import type { RestoreOptions } from "../restore/run.ts";

export const addBackup: AddCommands = (program, context, act) => {
  program
    .command("backup [folder]")
    .summary("back up keys, counts and signing keys of a running cluster")
    .description(
      `Saves keys, counts and signing keys of a running cluster in a new folder; default: backups/ and the time (UTC). Keep it as \
safe as the signing keys, which are in it.

A backup is authenticated with the backup key: keep a copy of that file, apart from the backups. Nobody can restore a backup \
without it, and anyone who has it can forge one.

Reads NATS_URL, SIGNING_KEYS_FILE and BACKUP_KEY_FILE (unset: backup-key in DATA_DIR, created if missing).`,
    )
    .option("--without-signing-keys", "leave them out")
    .option(...JSON_OPTION)
    .action((folder: string | undefined, options: { withoutSigningKeys?: boolean; json?: boolean }) =>
      act(async () => (await import("../backup/run.ts")).runBackup(context, folder, options)),
    );
};

export const addRestore: AddCommands = (program, context, act) => {
  program
    .command("restore")
    .summary("restore a backup")
    .description(
      `Restores a backup: first the signing keys, then the counts, then the keys. The whole backup is authenticated and checked \
before anything is changed. Counts are never lowered, and signing keys never removed. To continue an interrupted restore, run \
it again.

Reads NATS_URL, NATS_REPLICAS, SIGNING_KEYS_FILE and BACKUP_KEY_FILE (unset: backup-key in DATA_DIR).`,
    )
    .addArgument(requiredArgument("<folder>", "the backup"))
    .option(
      "--force",
      "replace keys that aren't the backup's, after backing them up; with --leave-out-unreadable also those that are, to get a log without the unreadable messages",
    )
    .option(
      "--add-signing-keys",
      "add the backup's signing keys that SIGNING_KEYS_FILE lacks; without it, a backup that has such keys is refused, and they are listed",
    )
    .option("--without-signing-keys", "leave SIGNING_KEYS_FILE alone")
    .option("--leave-out-unreadable", "leave out messages that this version can't read")
    .option(
      "--unauthenticated",
      "restore a backup whose backup key is lost. Anyone who could write to its folder can have planted keys: check its origin first",
    )
    .action((folder: string, options: RestoreOptions) =>
      act(async () => (await import("../restore/run.ts")).runRestore(context, folder, options)),
    );
};
