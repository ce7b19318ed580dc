import { runMain } from "@geolookup/shared/runtime/lifecycle.ts";
import { readConfig } from "./config.ts";
import { startGateway } from "./server.ts";

await runMain("gateway", () => startGateway(readConfig(process.env)));
