import { checkFolder } from "@geolookup/shared/runtime/files/folder-lock.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { checkInternalFiles } from "@geolookup/shared/runtime/tls/internal-files.ts";
import type { GeoConfig } from "./config.ts";
import { refuseLoss } from "./databases/data-kinds.ts";
import { openNamed } from "./databases/named-databases.ts";
import { listFeeds } from "./geofeed/geofeed-paths.ts";
import { readGeofeedFile } from "./geofeed/read-geofeed.ts";

/**
 * Reads the databases, geofeeds and internal TLS files that the settings name, and checks that the folder for a geo data
 * server's files is writable.
 * @throws StartError when one cannot be used.
 */
export async function checkFiles(config: GeoConfig): Promise<void> {
  checkInternalFiles(config.internalTls, "geo");
  if (config.mirror) checkFolder(config.mirror.folder);
  await checkData(config);
}

/**
 * Reads the databases and the geofeeds that are named. A geofeed must exist, although the service starts without it: it is
 * probably a typo.
 * @throws StartError when one cannot be used.
 */
export async function checkData({
  databases,
  geofeeds,
  acceptsLoss,
}: Pick<GeoConfig, "databases" | "geofeeds" | "acceptsLoss">): Promise<void> {
  if ("files" in databases) await openNamed(databases, { onLoss: acceptsLoss ? () => {} : refuseLoss });
  const { files, problems } = await listFeeds({ named: geofeeds.named, optional: [] });
  if (problems.length > 0) throw new StartError(problems.join("\n"));
  for (const { path } of files) await readGeofeedFile(path, () => {});
}
