import type { GeoConfig } from "./config.ts";
import { openNamed } from "./databases/open-named.ts";
import { refuseLoss } from "./databases/reload-installed.ts";
import { readGeofeedFile } from "./geofeed/geofeed-file.ts";

/** Reads the databases that are named, and the geofeed if there is to be one. @throws StartError when one cannot be used. */
export async function checkFiles({ databases, geofeedFile, acceptsLoss }: GeoConfig): Promise<void> {
  if ("files" in databases) await openNamed(databases, { onLoss: acceptsLoss ? () => {} : refuseLoss });
  if (geofeedFile !== undefined) await readGeofeedFile(geofeedFile, () => {});
}
