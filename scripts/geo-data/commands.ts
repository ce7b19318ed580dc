import { readFolder } from "@geolookup/geo-data/config.ts";
import type { Refetch } from "@geolookup/geo-data/fetch/decide.ts";
import { readRefreshConfig } from "@geolookup/geo-data/refresh/config.ts";
import { recordRun } from "@geolookup/geo-data/refresh/record-run.ts";
import { orKeep, runOnce } from "@geolookup/geo-data/run-once.ts";

/** What `data` was asked for. */
export type Command =
  /** `orKeep`: a failure doesn't count while complete data is in use. */
  | { kind: "fetch"; refetch: Refetch; orKeep: boolean }
  | { kind: "rollback"; to: string | null; takesLess: boolean }
  | { kind: "list"; asJson: boolean }
  /** Runs until it is ended, and refreshes the data once a day. */
  | { kind: "refresh" }
  /** The same, and serves the data to geo nodes on other machines. */
  | { kind: "serve" };

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
  if (command.kind === "refresh") {
    const { runRefreshProcess } = await import("@geolookup/geo-data/refresh/refresh-process.ts");
    return await runRefreshProcess(environment, { installsFirst: false });
  }
  if (command.kind === "serve") {
    await (await import("@geolookup/geo-data/serve/server.ts")).runServer([]);
    return await new Promise(() => {});
  }
  const folder = readFolder(environment);
  const say = (line: string) => process.stderr.write(`geo-data: ${line}\n`);
  if (!(command.kind === "fetch" && command.orKeep)) {
    const { otherFolderWarning } = await import("../running-services.ts");
    const warning = otherFolderWarning(environment);
    if (warning !== null) say(warning);
  }
  if (command.kind === "list") {
    const { storedVersions, versionLine } = await import("@geolookup/geo-data/store/rollback.ts");
    const versions = await storedVersions(folder);
    if (versions.length === 0) say(`there is no geo data in ${folder}; run \`./geolookup data fetch\``);
    if (command.asJson) process.stdout.write(`${JSON.stringify(versions, null, 2)}\n`);
    else for (const each of versions) process.stdout.write(`${versionLine(each)}\n`);
    return;
  }
  if (command.kind === "rollback")
    return (await import("@geolookup/geo-data/store/rollback.ts")).rollBack(folder, command, say);
  const { refetch } = command;
  const run = () => runOnce({ folder, environment, refetch, by: command.orKeep ? "start" : "person", now, say });
  const fetch = async () => {
    // A manual update counts as a run of the daily refresh, so that warnings about old data include its outcome.
    if (refetch === "no" || !readRefreshConfig(environment).isOn) return await run();
    const { error } = await recordRun(run, { folder, now, random: Math.random });
    if (error !== undefined) throw error;
  };
  await (command.orKeep ? orKeep(fetch, { folder, say }) : fetch());
}
