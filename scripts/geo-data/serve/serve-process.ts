import { runMain } from "@geolookup/shared/runtime/service/lifecycle.ts";
import { readServeConfig } from "./config.ts";
import { startGeoDataServer } from "./server.ts";

/** A process that fetches, refreshes and serves the data until SIGTERM or SIGINT. */
export async function runServeProcess(): Promise<never> {
  // The command has read the arguments.
  await runMain("geo-data", { readConfig: readServeConfig, start: (config) => startGeoDataServer(config) }, []);
  return await new Promise(() => {});
}
