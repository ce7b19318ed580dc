import { runMain } from "@geolookup/shared/runtime/service/lifecycle.ts";
import { readConfig, SHARED_PORT } from "./config.ts";
import { checkFiles, startGateway } from "./server.ts";

await runMain("gateway", { readConfig, option: SHARED_PORT, checkFiles, start: startGateway });
