import { runMain } from "@geolookup/shared/runtime/lifecycle.ts";
import { readConfig } from "./config.ts";
import { startGeo } from "./server.ts";

await runMain("geo", () => startGeo(readConfig(process.env)));
