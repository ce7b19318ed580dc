import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { z } from "zod";
import { DATA_KINDS, type DataKind } from "./data-kinds.ts";
import type { Database } from "./database.ts";
import { readWhole } from "./whole-file.ts";

const MAX_BYTES = 1_000_000;

const kindsByPath = z.record(z.string(), z.array(z.enum(DATA_KINDS)));

/** The kinds of data that files had when they were last in use, by absolute path; none if that can't be read. */
export async function readRememberedKinds(file: string): Promise<(path: string) => readonly DataKind[]> {
  const remembered = await readWhole(file, MAX_BYTES)
    .then((whole) => new Map(Object.entries(kindsByPath.parse(JSON.parse(String(whole?.bytes))))))
    .catch(() => new Map<string, DataKind[]>());
  return (path) => remembered.get(resolve(path)) ?? [];
}

/** Remembers the kinds of data in the files in use. If that fails, it is logged, and the files are used anyway. */
export async function rememberKinds(
  file: string,
  files: readonly { readonly path: string; readonly database: Database }[],
  log: Logger,
): Promise<void> {
  const kinds = Object.fromEntries(files.map(({ path, database }) => [resolve(path), database.kinds]));
  const prepared = `${file}.${process.pid}`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(prepared, `${JSON.stringify(kinds, null, 2)}\n`);
    await rename(prepared, file);
  } catch (error) {
    log.info({ file, problem: (error as Error).message }, "kinds of data not remembered for the next start");
  }
}
