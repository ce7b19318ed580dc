import { runMain } from "@geolookup/shared/runtime/service/lifecycle.ts";
import { readServeConfig } from "./serve/config.ts";
import { startGeoDataServer } from "./serve/server.ts";

await runMain("geo-data", { readConfig: readServeConfig, start: (config) => startGeoDataServer(config) });
