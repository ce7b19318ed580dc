import { runMain } from "@geolookup/shared/runtime/service/lifecycle.ts";
import { checkFiles } from "./check-files.ts";
import { readConfig } from "./config.ts";
import { startAuth } from "./server.ts";

await runMain("auth", { readConfig, checkFiles, start: startAuth });
