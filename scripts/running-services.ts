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
 * Finds the only service of `make start` or `make cluster` that runs on this machine, or the one of DATA_DIR.
 * @returns null if none is running. @throws StartError if there are several.
 */
export function findOneService(environment: NodeJS.ProcessEnv): ServiceRecord | null {
  const { running, problems } = findServices(environment);
  if (running.length > 1)
    throw new StartError(
      `several services are running. Set DATA_DIR to the folder of one: ${running.map(({ dataDir }) => dataDir).join(" or ")}`,
    );
  if (running[0] === undefined && problems[0] !== undefined) throw new StartError(problems.join("; "));
  return running[0] ?? null;
}

/** The DATA_DIR that other commands need for this service; null if it's the default. */
export function dataDirFor({ mode, dataDir }: ServiceRecord): string | null {
  const folder = mode === "cluster" ? dirname(dataDir) : dataDir;
  return isSame(folder, resolve("data")) ? null : folder;
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
