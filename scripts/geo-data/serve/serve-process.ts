import { runMain } from "@geolookup/shared/runtime/lifecycle/lifecycle.ts";
import { checkInternalFiles } from "@geolookup/shared/runtime/tls/internal-files.ts";
import { readServeConfig } from "./config.ts";
import { startGeoDataServer } from "./server.ts";

/** A process that fetches, refreshes and serves the data until SIGTERM or SIGINT. */
export async function runServeProcess(): Promise<never> {
  await runMain("geo-data", {
    readConfig: readServeConfig,
    checkFiles: ({ internalTls }) => checkInternalFiles(internalTls, "geo-data"),
    start: (config) => startGeoDataServer(config),
  });
  return await new Promise(() => {});
}
