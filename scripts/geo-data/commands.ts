import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { Command } from "./command-line.ts";
import { readConfig, readFolder } from "./config.ts";
import { createProgress } from "./download/progress.ts";
import { MAX_ARCHIVE_BYTES } from "./download/save-body.ts";
import type { Refetch } from "./fetch/decide.ts";
import { fetchGeoData } from "./fetch/fetch-geo-data.ts";
import { maxmindVendor } from "./sources/maxmind/maxmind-parts.ts";
import { npmVendor } from "./sources/npm/npm-parts.ts";
import { readPins } from "./sources/npm/pins.ts";
import { updatePins } from "./sources/npm/update-pins.ts";
import { describeVersion, readInstalled } from "./store/installed.ts";
import { rollBack, versionLines } from "./store/rollback.ts";

const PATIENCE = { attempts: 4, retryDelayMs: 1_000, silenceMs: 30_000, longestWaitMs: 60_000 };

/**
 * Does what the command line asks for. Results go to standard output, progress to standard error. Only downloads read
 * the credentials, so that a rollback works without them.
 * @throws StartError with one line for what the operator can fix.
 */
export async function performCommand(
  command: Command,
  environment: Readonly<Record<string, string | undefined>>,
  now: () => number,
): Promise<void> {
  const folder = readFolder(environment);
  const say = (line: string) => process.stderr.write(`geo-data: ${line}\n`);
  if (command.kind === "list") {
    const lines = await versionLines(folder);
    if (lines.length === 0) say(`there is no geo data in ${folder}; run "make geo-data"`);
    for (const line of lines) process.stdout.write(`${line}\n`);
    return;
  }
  if (command.kind === "pin") {
    const { registry, pinsFile } = readConfig(environment);
    return updatePins(pinsFile, { registry, patience: PATIENCE, say });
  }
  if (command.kind === "rollback") return rollBack(folder, command, say);
  try {
    await fetchFromVendor(command.refetch, { folder, environment, now, say });
  } catch (error) {
    const installed = command.orKeep && error instanceof StartError ? await readInstalled(folder) : null;
    if (!installed || installed.damaged.length > 0) throw error;
    say((error as Error).message);
    say(`fix this; until then, the current geo data stays in use: ${describeVersion(installed.stored)}`);
  }
}

/** @throws StartError */
async function fetchFromVendor(
  refetch: Refetch,
  options: {
    folder: string;
    environment: Readonly<Record<string, string | undefined>>;
    now: () => number;
    say: (line: string) => void;
  },
): Promise<void> {
  const { now, say } = options;
  const { registry, pinsFile, maxmind } = readConfig(options.environment);
  const common = {
    patience: PATIENCE,
    now,
    say,
    progress: (label: string) => createProgress(`geo-data: ${label}`, process.stderr, now),
  };
  const vendor = maxmind
    ? maxmindVendor({ ...common, ...maxmind, maxBytes: MAX_ARCHIVE_BYTES })
    : npmVendor({ ...common, registry, pins: readPins(pinsFile) });
  await fetchGeoData({ folder: options.folder, vendor, refetch, now, say });
}
