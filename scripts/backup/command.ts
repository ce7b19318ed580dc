import { type AddCommands, JSON_OPTION } from "../command-line.ts";

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
      act(async () => (await import("./run.ts")).runBackup(context, folder, options)),
    );
};
