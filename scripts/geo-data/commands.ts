import { readFolder, readRefreshConfig } from "@geolookup/geo-data/config.ts";
import { recordRun } from "@geolookup/geo-data/refresh/record-run.ts";
import { orKeep, runOnce } from "@geolookup/geo-data/run-once.ts";
import type { Printed } from "../command-line.ts";

// Each start runs `fetch` to see whether there is data, so what the other commands need is loaded only for them. Only downloads read
// the credentials, so that a rollback works without them.

type Environment = NodeJS.ProcessEnv;

const say = (line: string) => process.stderr.write(`geo-data: ${line}\n`);

/** The folder of the data, after a warning if a running service uses another one. */
async function folderOf(environment: Environment): Promise<string> {
  const folder = readFolder(environment);
  const { otherFolderWarning } = await import("../running-services.ts");
  const warning = otherFolderWarning(environment);
  if (warning !== null) say(warning);
  return folder;
}

/** @throws StartError with one line for what the operator can fix. */
export async function fetchData(
  environment: Environment,
  { update = false, force = false, orKeep: isForStart = false },
): Promise<void> {
  const folder = isForStart ? readFolder(environment) : await folderOf(environment);
  const refetch = force ? "force" : update ? "update" : "no";
  const by = isForStart ? "start" : "person";
  const run = () => runOnce({ folder, environment, refetch, by, now: Date.now, say });
  const fetch = async () => {
    // A manual update counts as a run of the daily refresh, so that warnings about old data include its outcome.
    if (refetch === "no" || !readRefreshConfig(environment).isOn) return await run();
    const { error } = await recordRun(run, { folder, now: Date.now, random: Math.random });
    if (error !== undefined) throw error;
  };
  await (isForStart ? orKeep(fetch, { folder, say }) : fetch());
}

/** @param to a version; undefined: the one before. @throws StartError */
export async function rollBack(environment: Environment, to: string | undefined, takesLess: boolean): Promise<void> {
  const folder = await folderOf(environment);
  const rollback = await import("@geolookup/geo-data/store/rollback.ts");
  await rollback.rollBack(folder, { to: to ?? null, takesLess }, say);
}

export async function listVersions(environment: Environment): Promise<Printed> {
  const folder = await folderOf(environment);
  const { storedVersions, versionLine } = await import("@geolookup/geo-data/store/rollback.ts");
  const versions = await storedVersions(folder);
  if (versions.length === 0) say(`there is no geo data in ${folder}; run \`./geolookup data fetch\``);
  return { json: versions, text: versions.map((each) => `${versionLine(each)}\n`).join("") };
}
