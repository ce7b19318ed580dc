import { runMain } from "@geolookup/shared/runtime/lifecycle.ts";
import { checkFiles } from "./check-files.ts";
import { readConfig } from "./config.ts";
import { startGateway } from "./server.ts";

await runMain("gateway", { readConfig, checkFiles, start: startGateway });
