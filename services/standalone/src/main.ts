import { runMain } from "@geolookup/shared/runtime/service/lifecycle.ts";
import { readConfig } from "./config.ts";
import { startStandalone } from "./server.ts";

await runMain("geolookup", {
  readConfig,
  // Imported only then, because it would delay starts.
  checkFiles: async (config) => (await import("./check-files.ts")).checkFiles(config),
  start: startStandalone,
});
