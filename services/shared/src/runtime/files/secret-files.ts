import { chmodSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import type { Logger } from "../observability/log.ts";

/** The environment of a process, by variable. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that name a file that is itself a secret. */
export const SECRET_FILE_VARIABLES: readonly string[] = [
  ...["SIGNING_KEYS_FILE", "BACKUP_KEY_FILE"],
  ...["TLS_KEY_FILE", "INTERNAL_TLS_KEY_FILE", "REDIS_KEY_FILE", "NATS_KEY_FILE", "NATS_CREDS_FILE"],
];
/** Secrets that services keep in DATA_DIR under these names. */
const KEPT_SECRETS = ["signing-keys.json", "admin.json", "backup-key"];

/** Permission bits of everyone except the owner and the group. */
const OTHERS = 0o007;
const ALL_BUT_OWNER = 0o077;

/**
 * Why a secret file must not be used: every user of the machine can read or write it. Group access is fine: Kubernetes
 * gives secrets to a group. Files in the service's own DATA_DIR are fixed at startup instead.
 * @param dataDir null if there is none.
 * @returns null if the file is safe, or can't be inspected: reading it then fails with the reason.
 */
export function exposureOf(path: string, dataDir: string | null): string | null {
  const mode = modeOf(path);
  if (mode === null || (mode & OTHERS) === 0 || (dataDir !== null && isFixable(path, dataDir))) return null;
  return (
    `${path} is open to every user of this machine (mode ${(mode & 0o777).toString(8).padStart(4, "0")}): ` +
    `chmod 600 ${path}, or 640 for a group. ALLOW_READABLE_SECRETS=on accepts it`
  );
}

/** Secret files in a service's DATA_DIR that users other than the owner can access, and whose mode the service may change. */
export function findExposedSecretFiles(environment: Environment, secrets: readonly string[]): string[] {
  const dataDir = environment.DATA_DIR || "data";
  const named = [...secrets.map((name) => `${name}_FILE`), ...SECRET_FILE_VARIABLES].flatMap(
    (name) => environment[name] || [],
  );
  const kept = KEPT_SECRETS.map((name) => join(dataDir, name));
  return [...new Set([...kept, ...named])].filter(
    (path) => ((modeOf(path) ?? 0) & ALL_BUT_OWNER) !== 0 && isFixable(path, dataDir),
  );
}

/** Restricts secret files to their owner, and logs each change. */
export function restrictSecretFiles(paths: readonly string[], log: Logger): void {
  for (const path of paths) {
    try {
      chmodSync(path, 0o600);
      log.warn({ path }, "secret file was accessible to other users; its mode is 0600 now");
    } catch (error) {
      log.error({ err: error, path }, "secret file is accessible to other users, and its mode can't be changed");
    }
  }
}

/** Whether a file is in a folder, after resolving links, and this process's user owns it. */
function isFixable(path: string, dataDir: string): boolean {
  try {
    return realpathSync(path).startsWith(realpathSync(dataDir) + sep) && statSync(path).uid === process.geteuid?.();
  } catch {
    return false;
  }
}

/** Null if the file doesn't exist, and on Windows, where modes have no meaning. */
function modeOf(path: string): number | null {
  if (process.platform === "win32") return null;
  try {
    const stats = statSync(path);
    return stats.isFile() ? stats.mode : null;
  } catch {
    return null;
  }
}
