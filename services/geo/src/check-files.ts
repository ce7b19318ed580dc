import type { GeoConfig } from "./config.ts";
import { readGeofeedFile } from "./geofeed/geofeed-file.ts";
import { openFiles } from "./reload-installed.ts";

/** Reads the databases that are named, and the geofeed if there is to be one. @throws StartError when one cannot be used. */
export async function checkFiles({ databases, geofeedFile }: GeoConfig): Promise<void> {
  if ("files" in databases) await openFiles(databases.files);
  if (geofeedFile !== undefined) await readGeofeedFile(geofeedFile, () => {});
}
