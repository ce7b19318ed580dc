import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { geoDataFolder, pathsOf, readCurrent } from "@geolookup/geo/databases/installed-databases.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";

/**
 * Installs missing servers, and fetches the geo data if it is missing. Both print their progress to standard error.
 * @throws StartError if one fails, after it printed the reason.
 */
export async function prepare(environment: NodeJS.ProcessEnv): Promise<void> {
  await runOrFail(pathOf("../install-test-servers.sh"), [], environment);
  if (!environment.GEO_DATABASES)
    await runOrFail(process.execPath, [pathOf("../../scripts/geo-data/main.ts")], environment);
}

async function runOrFail(program: string, args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(program, args, { env: environment, stdio: ["ignore", process.stderr, "inherit"] });
  const [status] = await once(child, "close");
  if (status !== 0) throw new StartError("preparation failed; see above");
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}

/**
 * The databases for all contestants: those in GEO_DATABASES, otherwise those that `./geolookup data fetch` installed.
 * @throws StartError if there are none.
 */
export async function findDatabases(environment: NodeJS.ProcessEnv, dataDir: string): Promise<string[]> {
  if (environment.GEO_DATABASES) return environment.GEO_DATABASES.split(",").map((path) => path.trim());
  const folder = geoDataFolder(dataDir);
  return pathsOf(folder, (await readCurrent(folder)).current);
}
