import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { readConfig, readFolder } from "./config.ts";
import type { Refetch } from "./fetch/decide.ts";
import { readRefreshConfig } from "./refresh/config.ts";
import { type RecordedRun, recordRun } from "./refresh/record-run.ts";
import { patienceOf, runOnce } from "./run-once.ts";
import { describeVersion, readInstalled } from "./store/installed.ts";

/** What `data` was asked for. */
export type Command =
  /** `orKeep`: a failure doesn't count while complete data is in use. */
  | { kind: "fetch"; refetch: Refetch; orKeep: boolean }
  | { kind: "rollback"; to: string | null; takesLess: boolean }
  | { kind: "list"; asJson: boolean }
  /** Runs until it is ended, and refreshes the data once a day. */
  | { kind: "refresh" }
  /** The same, and serves the data to geo nodes on other machines. */
  | { kind: "serve" }
  /** For maintainers: pins the newest npm packages. */
  | { kind: "pin" };

/**
 * Performs the command. Results go to standard output, progress to standard error. Only downloads read
 * the credentials, so that a rollback works without them.
 * @throws StartError with one line for what the operator can fix.
 */
export async function performCommand(
  command: Command,
  environment: Readonly<Record<string, string | undefined>>,
  now: () => number,
): Promise<void> {
  // Each start runs this to see whether there is data, so it loads what the other commands need only for them.
  if (command.kind === "refresh") return (await import("./refresh/refresh-process.ts")).runRefreshProcess(environment);
  if (command.kind === "serve") return (await import("./serve/serve-process.ts")).runServeProcess();
  const folder = readFolder(environment);
  const say = (line: string) => process.stderr.write(`geo-data: ${line}\n`);
  if (command.kind !== "pin" && !(command.kind === "fetch" && command.orKeep)) {
    const { otherFolderWarning } = await import("../running-services.ts");
    const warning = otherFolderWarning(environment);
    if (warning !== null) say(warning);
  }
  if (command.kind === "list") {
    const { storedVersions, versionLine } = await import("./store/rollback.ts");
    const versions = await storedVersions(folder);
    if (versions.length === 0) say(`there is no geo data in ${folder}; run \`./geolookup data fetch\``);
    if (command.asJson) process.stdout.write(`${JSON.stringify(versions, null, 2)}\n`);
    else for (const each of versions) process.stdout.write(`${versionLine(each)}\n`);
    return;
  }
  if (command.kind === "pin") {
    const { registry, pinsFile } = readConfig(environment);
    const { updatePins } = await import("./sources/npm/update-pins.ts");
    return updatePins(pinsFile, { registry, patience: patienceOf(environment), say });
  }
  if (command.kind === "rollback") return (await import("./store/rollback.ts")).rollBack(folder, command, say);
  const { refetch, orKeep } = command;
  const run = () => runOnce({ folder, environment, refetch, by: orKeep ? "start" : "person", now, say });
  try {
    // A manual update counts as a run of the daily refresh, so that warnings about old data include its outcome.
    if (refetch === "no" || !readRefreshConfig(environment).isOn) await run();
    else await orThrow(recordRun(run, { folder, now, random: Math.random }));
  } catch (error) {
    const installed = orKeep && error instanceof StartError ? await readInstalled(folder) : null;
    if (!installed || installed.damaged.length > 0) throw error;
    say((error as Error).message);
    say(`fix this; until then, the current geo data stays in use: ${describeVersion(installed.stored)}`);
  }
}

async function orThrow(recorded: Promise<RecordedRun>): Promise<void> {
  const { error } = await recorded;
  if (error !== undefined) throw error;
}
