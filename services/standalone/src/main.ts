import { runMain } from "@geolookup/shared/runtime/lifecycle.ts";
import { readConfig } from "./config.ts";
import { startStandalone } from "./server.ts";

await runMain("geolookup", { readConfig, start: startStandalone });
