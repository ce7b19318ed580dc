import { realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { readEnvironment } from "@geolookup/shared/runtime/env/env.ts";
import {
  isRunning,
  listServiceFolders,
  readServiceRecord,
  recordFile,
  type ServiceRecord,
  servicesFolder,
} from "@geolookup/shared/runtime/files/service-record.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { quoteForShell } from "@geolookup/shared/runtime/shell.ts";
import { z } from "zod";

export interface FoundServices {
  /** Those of DATA_DIR, if it is set; otherwise those of the folder `data` and this user's others. */
  running: ServiceRecord[];
  /** Why others weren't found: one sentence for each. */
  problems: string[];
}

/** Finds the services of `make start` and `make cluster` that run on this machine. */
export function findServices(environment: NodeJS.ProcessEnv): FoundServices {
  const { DATA_DIR, XDG_STATE_HOME } = readEnvironment(
    z.object({ DATA_DIR: z.string().optional(), XDG_STATE_HOME: z.string().optional() }),
    environment,
  );
  const listed = () => listServiceFolders(servicesFolder({ XDG_STATE_HOME }));
  const found: FoundServices = { running: [], problems: [] };
  if (DATA_DIR === undefined) {
    for (const folder of new Set([...foldersIn("data"), ...listed()])) inspectFolder(folder, found);
    return found;
  }
  for (const folder of foldersIn(DATA_DIR)) if (found.running.length === 0) inspectFolder(folder, found);
  return found;
}

/**
 * Finds the only service of `make start` or `make cluster` that runs on this machine, or the one of DATA_DIR. Of several, it is
 * the one with the data folder that commands use by default.
 * @returns null if none is running. @throws StartError if there are several others.
 */
export function findOneService(environment: NodeJS.ProcessEnv): ServiceRecord | null {
  const { running, problems } = findServices(environment);
  const ofDefault = running.filter((record) => dataDirFor(record) === null);
  const [first, ...others] = ofDefault.length > 0 ? ofDefault : running;
  if (others.length > 0)
    throw new StartError(
      `several services are running. Set DATA_DIR to the folder of one: ${running.map(dataDirOf).join(" or ")}`,
    );
  if (first === undefined && problems.length > 0) throw new StartError(problems.join("; "));
  return first ?? null;
}

/** The running service with this public address; null if it isn't one of `make start` or `make cluster` on this machine. */
export function findServiceAt(url: string, environment: NodeJS.ProcessEnv): ServiceRecord | null {
  if (!URL.canParse(url)) return null;
  const { origin } = new URL(url);
  return findServices(environment).running.find((record) => new URL(record.url).origin === origin) ?? null;
}

/** The cluster that `make cluster` runs with a data folder; null if there is none, or if `make start` uses the folder too. */
export function findClusterIn(dataDir: string, environment: NodeJS.ProcessEnv): ServiceRecord | null {
  const [running] = findServices({ ...environment, DATA_DIR: dataDir }).running;
  return running?.mode === "cluster" ? running : null;
}

/** What a command says that needs the addresses of a running cluster. @param also what else to do. */
export function exportAdvice({ dataDir }: ServiceRecord, also = ""): string {
  return `a cluster is running with the data folder ${dataDir}. Run the \`export …\` line that \`make cluster\` printed${also}, then try again`;
}

/** The DATA_DIR of a service. `make cluster` stores its state in a folder in it. */
export function dataDirOf({ mode, dataDir }: ServiceRecord): string {
  return mode === "cluster" ? dirname(dataDir) : dataDir;
}

/** The DATA_DIR that other commands need for this service; null if it's the default. */
export function dataDirFor(record: ServiceRecord): string | null {
  const folder = dataDirOf(record);
  return isSame(folder, resolve("data")) ? null : folder;
}

/**
 * Warns if a command works on the default data folder while every running service has another one.
 * @returns one line; null if there is nothing to warn about.
 */
export function otherFolderWarning(environment: NodeJS.ProcessEnv): string | null {
  if (environment.DATA_DIR) return null;
  const folders = findServices(environment).running.map(dataDirFor);
  if (folders.length === 0 || folders.includes(null)) return null;
  const others = [...new Set(folders)].map((folder) => `DATA_DIR=${quoteForShell(folder as string)}`);
  return `this is the data in ${resolve("data")}, which no running service uses. For a running one, set ${others.join(" or ")}`;
}

/** The data folders of the services that run on this machine, whatever DATA_DIR is. */
export function runningFolders(environment: NodeJS.ProcessEnv): string[] {
  return findServices({ ...environment, DATA_DIR: "" }).running.map(({ dataDir }) => dataDir);
}

/** The variables of a running service. Those that the environment sets take precedence. */
export function environmentOf({ variables }: ServiceRecord, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const set = Object.entries(environment).filter(([, value]) => value !== undefined && value !== "");
  return { ...variables, ...Object.fromEntries(set) };
}

/** `make start` and `make cluster` can run at once with the same DATA_DIR. */
function foldersIn(dataDir: string): string[] {
  return [resolve(dataDir), resolve(dataDir, "cluster")];
}

function inspectFolder(folder: string, { running, problems }: FoundServices): void {
  try {
    const record = readServiceRecord(folder);
    // A copy of another service's folder.
    if (record === null || !isSame(record.dataDir, folder)) return;
    if (running.some(({ dataDir }) => dataDir === record.dataDir)) return;
    if (isRunning(record)) running.push(record);
    else
      problems.push(
        `the service with the data folder ${folder} ended without a clean stop (process ${record.pid}). ` +
          `Start it again, or delete ${recordFile(folder)}`,
      );
  } catch (error) {
    problems.push((error as Error).message);
  }
}

function isSame(one: string, other: string): boolean {
  try {
    return one === other || realpathSync(one) === realpathSync(other);
  } catch {
    return false;
  }
}
