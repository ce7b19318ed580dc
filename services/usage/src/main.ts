import { runMain } from "@geolookup/shared/runtime/lifecycle/lifecycle.ts";
import { readConfig } from "./config.ts";
import { startUsage } from "./server.ts";

await runMain("usage", { readConfig, start: startUsage });
