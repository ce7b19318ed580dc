import { runMain } from "@geolookup/shared/runtime/lifecycle.ts";
import { checkFiles } from "./check-files.ts";
import { readConfig } from "./config.ts";
import { startGeo } from "./server.ts";

await runMain("geo", { readConfig, checkFiles, start: startGeo });
