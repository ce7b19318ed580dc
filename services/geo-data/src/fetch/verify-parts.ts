import { stat } from "node:fs/promises";
import { join } from "node:path";
import { openDatabase } from "@geolookup/geo/databases/database.ts";
import { versionsFolder } from "@geolookup/geo/databases/installed-databases.ts";
import { type KnownFiles, knownFiles } from "@geolookup/geo/databases/known-files.ts";
import type { OpenedFile } from "@geolookup/geo/databases/open-files.ts";
import { readWhole } from "@geolookup/geo/databases/whole-file.ts";
import { readMetadata } from "@geolookup/geo/mmdb/metadata.ts";
import { drawAddresses } from "@geolookup/geo/mmdb/weighted-sample.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { Installed } from "../store/installed.ts";
import type { KeptPart, Staged } from "../store/roll-out.ts";
import { damagedFiles, type Source } from "../store/source.ts";
import { listVersions } from "../store/version-store.ts";
import { type ComparedFile, implausibility, SAMPLED_ADDRESSES } from "./compare-files.ts";
import { RefusedDataError } from "./refused-data-error.ts";

/** No file larger than this is installed. */
const MAX_DATABASE_BYTES = 2 ** 31 - 1;

/** The previous version of a source. */
interface Previous {
  source: Source;
  /** Where its files are. */
  folder: string;
}

/**
 * Compares each downloaded file with the same file in the source's previous version. A source without a previous version
 * isn't compared.
 * @param files all files of the parts, open.
 * @param options.random returns numbers from 0 up to 1.
 * @throws RefusedDataError naming the first file that isn't plausible.
 */
export async function verifyParts(
  parts: readonly (Staged | KeptPart)[],
  files: readonly OpenedFile[],
  installed: Installed | null,
  options: { folder: string; say: (line: string) => void; random: () => number },
): Promise<void> {
  for (const part of parts) {
    if ("kept" in part) continue;
    const previous = await findPrevious(part.source, installed, options.folder);
    // A repaired file was accepted when it was first installed.
    if (previous === null || previous.source.integrity === part.source.integrity) continue;
    for (const { name } of previous.source.files) {
      const opened = files.find(({ path }) => path === join(part.folder, name));
      if (!opened) continue;
      const after = { database: opened.database, size: (await stat(opened.path)).size };
      const problem = await compare(join(previous.folder, name), after, knownFiles(installed?.checked), options);
      if (problem !== null) throw new RefusedDataError(problem);
    }
  }
}

/** The newest complete version of a source: the one in use if it is complete, and never one that an operator rolled back. */
async function findPrevious({ name }: Source, installed: Installed | null, folder: string): Promise<Previous | null> {
  const others = (await listVersions(folder)).reverse();
  const versions = installed ? [installed.stored, ...others] : others;
  for (const { version, sources } of versions) {
    const source = sources.find((candidate) => candidate.name === name);
    if (!source || version === installed?.rolledBackFrom?.version) continue;
    const versionFolder = join(versionsFolder(folder), version);
    if ((await damagedFiles(versionFolder, source)).length === 0) return { source, folder: versionFolder };
  }
  return null;
}

async function compare(
  path: string,
  after: ComparedFile,
  known: KnownFiles,
  { say, random }: { say: (line: string) => void; random: () => number },
): Promise<string | null> {
  try {
    const { database } = await openDatabase(path, { known });
    const whole = await readWhole(path, MAX_DATABASE_BYTES);
    if (whole === null) throw new StartError(`the database file ${path} is being written right now`);
    const { bytes } = whole;
    const addresses = drawAddresses(bytes, readMetadata(bytes), SAMPLED_ADDRESSES, random);
    return implausibility({ database, size: bytes.length }, after, addresses);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    say(`can't compare ${after.database.info.name} with the previous one: ${error.message}`);
    return null;
  }
}
