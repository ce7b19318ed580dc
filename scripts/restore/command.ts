import { type AddCommands, requiredArgument } from "../command-line.ts";
import type { RestoreOptions } from "./run.ts";

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
      act(async () => (await import("./run.ts")).runRestore(context, folder, options)),
    );
};
