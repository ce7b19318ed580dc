import { runMain } from "@geolookup/shared/runtime/lifecycle.ts";
import { readConfig } from "./config.ts";
import { startAuth } from "./server.ts";

await runMain("auth", () => startAuth(readConfig(process.env)));
