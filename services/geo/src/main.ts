import { followServer } from "@geolookup/geo-data/follow/follow-server.ts";
import { relaxGarbageCollection } from "@geolookup/shared/runtime/lifecycle/gc-tuning.ts";
import { runMain } from "@geolookup/shared/runtime/service/lifecycle.ts";
import { checkFiles } from "./check-files.ts";
import { readConfig } from "./config.ts";
import { startGeo } from "./server.ts";

relaxGarbageCollection();
await runMain("geo", { readConfig, checkFiles, start: (config, stopping) => startGeo(config, stopping, followServer) });
