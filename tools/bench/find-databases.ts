import { geoDataFolder, pathsOf, readCurrent } from "@geolookup/geo/databases/installed-databases.ts";

/**
 * The databases for all contestants: those in GEO_DATABASES, otherwise those that `./geolookup data fetch` installed.
 * @throws StartError if there are none.
 */
export async function findDatabases(environment: NodeJS.ProcessEnv, dataDir: string): Promise<string[]> {
  if (environment.GEO_DATABASES) return environment.GEO_DATABASES.split(",").map((path) => path.trim());
  const folder = geoDataFolder(dataDir);
  return pathsOf(folder, (await readCurrent(folder)).current);
}
