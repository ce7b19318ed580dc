import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { z } from "zod";
import { replaceFile } from "./replace-file.ts";
import type { Environment } from "./secret-files.ts";

/** Variables that operator commands need to reach a running service, with its effective values. */
const VARIABLES = [
  ...["OPS_TARGETS", "TRUST_PROXY", "API_URL", "GEO_URL", "AUTH_URL", "USAGE_URL", "ADMIN_TOKEN"],
  ...["NATS_URL", "REDIS_URL", "SIGNING_KEYS_FILE"],
  ...["INTERNAL_TLS_CA_FILE", "INTERNAL_TLS_CERT_FILE", "INTERNAL_TLS_KEY_FILE", "INTERNAL_TLS_IDENTITY"],
] as const;

/** Far more than a service writes. */
const MAX_BYTES = 64 * 1_024;
const MAX_SERVICES = 1_000;
const MAX_PID = 2 ** 31 - 1;

const text = () => z.string().min(1).max(MAX_BYTES);

const SCHEMA = z.object({
  mode: z.enum(["standalone", "cluster"]),
  pid: z.int().min(1).max(MAX_PID),
  /** Absolute. */
  dataDir: text(),
  /** Base URL of the API. */
  url: text(),
  docsUrl: text(),
  variables: z.object(Object.fromEntries(VARIABLES.map((name) => [name, text().optional()]))),
});

/** Where a running service is, and its effective settings. */
export interface ServiceRecord extends Omit<z.infer<typeof SCHEMA>, "variables"> {
  variables: Partial<Record<(typeof VARIABLES)[number], string>>;
}

/** The file of a service in its data folder. */
export function recordFile(dataDir: string): string {
  return join(dataDir, "service.json");
}

/**
 * The folder that lists the data folders of this user's services, so that commands can find them. It follows
 * the XDG Base Directory Specification, which ignores a relative XDG_STATE_HOME.
 */
export function servicesFolder(environment: Environment): string {
  const { XDG_STATE_HOME: stateHome = "" } = environment;
  return join(isAbsolute(stateHome) ? stateHome : join(homedir(), ".local/state"), "geolookup/services");
}

/**
 * Writes a service's record to its data folder (mode 0600), and lists the folder in `services`.
 * @param onUnlisted called if the folder can't be listed; commands then need DATA_DIR.
 * @returns an object whose disposal removes both. @throws Error of the system if the data folder can't be written.
 */
export async function recordService(
  record: ServiceRecord,
  services: string,
  onUnlisted: (error: Error) => void,
): Promise<Disposable> {
  const { dataDir } = record;
  const entry = join(services, createHash("sha256").update(dataDir).digest("hex").slice(0, 16));
  await replaceFile(recordFile(dataDir), `${JSON.stringify(record)}\n`);
  try {
    mkdirSync(services, { recursive: true, mode: 0o700 });
    await replaceFile(entry, `${dataDir}\n`);
  } catch (error) {
    onUnlisted(error as Error);
  }
  return {
    [Symbol.dispose]: () => {
      for (const file of [recordFile(dataDir), entry]) remove(file);
    },
  };
}

/** @returns null if there is none. @throws Error saying why it can't be used. */
export function readServiceRecord(dataDir: string): ServiceRecord | null {
  const file = recordFile(dataDir);
  const content = contentOf(file);
  if (content === null) return null;
  try {
    return SCHEMA.parse(JSON.parse(content));
  } catch {
    throw new Error(`${file} isn't valid. Restart geolookup to rewrite it`);
  }
}

/** The data folders in `services`, absolute. Entries that aren't readable are skipped. */
export function listServiceFolders(services: string): string[] {
  try {
    const entries = readdirSync(services).slice(0, MAX_SERVICES);
    const folders = entries.map((entry) => contentOrNothing(join(services, entry)).trimEnd());
    return [...new Set(folders.filter((folder) => isAbsolute(folder) && resolve(folder) === folder))];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EACCES") return [];
    throw error;
  }
}

/** Whether the process of a record exists, perhaps as another user's. */
export function isRunning({ pid }: Pick<ServiceRecord, "pid">): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function contentOrNothing(file: string): string {
  try {
    return contentOf(file) ?? "";
  } catch {
    return "";
  }
}

/** @returns null if the file doesn't exist. @throws Error if it's unreadable, too large, or not a regular file. */
function contentOf(file: string): string | null {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  if (!stats.isFile() || stats.size > MAX_BYTES)
    throw new Error(`${file} isn't valid. Remove it, then restart geolookup to rewrite it`);
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`cannot read ${file}: ${(error as Error).message}`);
  }
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch (error) {
    // The folder was removed or is now read-only. Commands notice that the process has ended.
    process.emitWarning(error as Error);
  }
}
