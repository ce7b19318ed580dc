import { followServer } from "@geolookup/geo-data/follow/follow-server.ts";
import { runMain } from "@geolookup/shared/runtime/service/lifecycle.ts";
import { checkFiles } from "./check-files.ts";
import { readConfig } from "./config.ts";
import { startGeo } from "./server.ts";

await runMain("geo", { readConfig, checkFiles, start: (config, stopping) => startGeo(config, stopping, followServer) });
