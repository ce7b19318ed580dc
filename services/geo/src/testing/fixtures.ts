import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { float, type MmdbValue } from "../mmdb/value.ts";
import { buildMmdb } from "../mmdb/writer.ts";

/** An invented database of many records: each 10.x.y.0/24 of 20.0.0.0/8 is a different town. */
export function townDatabase(name: string, { ipVersion = 6, towns = 2_000 }: TownOptions = {}): Buffer {
  const key = JSON.stringify([name, ipVersion, towns]);
  const built = townDatabases.get(key) ?? buildTowns(name, ipVersion, towns);
  townDatabases.set(key, built);
  return Buffer.from(built);
}

interface TownOptions {
  ipVersion?: 4 | 6;
  towns?: number;
}

/** Building one takes 0.1 s. */
const townDatabases = new Map<string, Buffer>();

function buildTowns(name: string, ipVersion: 4 | 6, towns: number): Buffer {
  const entries: [string, MmdbValue][] = [];
  for (let town = 0; town < towns; town++)
    entries.push([
      `20.${town >> 8}.${town & 255}.0/24`,
      {
        country_code: "NZ",
        city: `${name} ${town}`,
        state1: "Otago",
        state2: "",
        postcode: "",
        timezone: "",
        latitude: float(-45),
        longitude: float(170),
      },
    ]);
  return buildMmdb({
    databaseType: "city",
    ipVersion,
    recordSize: 24,
    entries,
    buildUnixSeconds: 1_700_000_000,
  });
}

/** A folder for one test, removed by `remove`. */
export function temporaryFolder(label: string): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), `geolookup-${label}-`));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A logger that keeps its lines: level, fields and message. */
export function capturingLog(): { log: Logger; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const keep = (level: string) => (fields: object, msg: string) => void lines.push({ level, ...fields, msg });
  const log = { debug: keep("debug"), info: keep("info"), warn: keep("warn"), error: keep("error") };
  return { log: log as unknown as Logger, lines };
}

/** Waits until `condition` holds. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string,
  deadlineMs = 10_000,
): Promise<void> {
  const end = Date.now() + deadlineMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`${what}: not within ${deadlineMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
