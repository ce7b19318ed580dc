import { geoDataFolder, pathsOf, readCurrent } from "@geolookup/geo/databases/installed-databases.ts";

/**
 * The databases that all contestants use: those in GEO_DATABASES, else what `make geo-data` has installed.
 * @throws StartError when there are none.
 */
export async function findDatabases(environment: NodeJS.ProcessEnv, dataDir: string): Promise<string[]> {
  if (environment.GEO_DATABASES) return environment.GEO_DATABASES.split(",").map((path) => path.trim());
  const folder = geoDataFolder(dataDir);
  return pathsOf(folder, (await readCurrent(folder)).current);
}
