import { runMain } from "@geolookup/shared/runtime/service/lifecycle.ts";
import { checkFiles } from "./check-files.ts";
import { readConfig, SHARED_PORT } from "./config.ts";
import { startGateway } from "./server.ts";

await runMain("gateway", { readConfig, option: SHARED_PORT, checkFiles, start: startGateway });
