import { dirname, join } from "node:path";
import { readEnvironment, wholeNumber } from "@geolookup/shared/runtime/env.ts";
import { KEY_STREAM } from "@geolookup/shared/runtime/logs/key-stream.ts";
import { USAGE_MONTHS_STREAM, USAGE_STREAM } from "@geolookup/shared/runtime/logs/usage-stream.ts";
import { StartError } from "@geolookup/shared/runtime/start-error.ts";
import { z } from "zod";
import { FILES } from "../backup/archive.ts";
import { backUp } from "../backup/backup.ts";
import { checkArchive } from "../backup/check-archive.ts";
import { freeFolder, ringFileOf } from "../backup/run.ts";
import { CommandLineError, readArguments } from "../command-line.ts";
import { connectToNats, readNats } from "../nats-connection.ts";
import type { CommandContext } from "../run-command.ts";
import { restoreKeys, standingOfKeys } from "./keys.ts";
import { planRing } from "./ring.ts";
import { restoreCounts } from "./usage.ts";

export const HELP = `Usage: make restore ARGS="FOLDER [--force] [--without-signing-keys]"

Puts a backup back: first the signing keys, then the counts, then the keys. The whole backup is
checked before anything is changed. A cluster that has other keys than the backup is refused;
--force replaces its keys, after a backup of them (see the line that says where). Counts are never
lowered, and signing keys never removed. What was interrupted goes on when it is run again.

Reads NATS_URL, NATS_REPLICAS and SIGNING_KEYS_FILE.
`;

/** Restores a backup as the command line says. @throws StartError, CommandLineError */
export async function runRestore({ args, environment, print }: CommandContext): Promise<number> {
  const { values, positionals } = readArguments(
    args,
    { force: { type: "boolean" }, "without-signing-keys": { type: "boolean" } },
    1,
  );
  const [folder] = positionals;
  if (!folder) throw new CommandLineError("name the folder of the backup");
  const { NATS_REPLICAS: replicas } = readEnvironment(
    z.object({ NATS_REPLICAS: wholeNumber(1, 5).default(1) }),
    environment,
  );
  readNats(environment);
  const backup = await checkArchive(folder);
  const withRing = backup.hasSigningKeys && !values["without-signing-keys"];
  const ring = withRing ? await planRing(join(folder, FILES.signingKeys), ringFileOf(environment)) : null;

  await using opened = new AsyncDisposableStack();
  const nats = await connectToNats(environment, opened);
  const connection = await nats.connected();
  const standing = await standingOfKeys(connection, backup.keys);
  if (standing.kind === "other") {
    if (!values.force)
      throw new StartError(
        `the stream ${KEY_STREAM} has ${standing.events} events that are not those of this backup; nothing was ` +
          "changed. --force puts the backup in their place, after saving them",
      );
    const saved = freeFolder(dirname(folder), "before-restore", new Date());
    await backUp({ connection, folder: saved, ringFile: withRing ? ringFileOf(environment) : null });
    print(`what was there is saved in ${saved}\n`);
  }

  if (ring) {
    await ring.make();
    print(`${ring.says}\n`);
  } else print("no signing keys were restored: auth must have those that signed the keys\n");
  for (const [stream, file, what] of [
    [USAGE_STREAM, FILES.usage, "messages of counts"],
    [USAGE_MONTHS_STREAM, FILES.months, "records of months"],
  ] as const) {
    const { restored, met } = await restoreCounts(nats, stream, join(folder, file), replicas);
    print(`${restored} ${what} were put back; ${met} were there and have the greater of both counts\n`);
  }
  if (standing.kind === "holds_backup") print("the keys were all there\n");
  else {
    const replaces = standing.kind === "other" ? standing.events : 0;
    await restoreKeys({ connection, path: join(folder, FILES.keys), backup: backup.keys, replicas, replaces });
    print(`${backup.keys.events} key events were restored\n`);
  }
  return 0;
}
