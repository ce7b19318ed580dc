import { runMain } from "@geolookup/shared/runtime/lifecycle/lifecycle.ts";
import { readConfig } from "./config.ts";
import { startPortal } from "./server.ts";

await runMain("portal", { readConfig, start: startPortal });
