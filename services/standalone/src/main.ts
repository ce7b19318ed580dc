import { relaxGarbageCollection } from "@geolookup/shared/runtime/lifecycle/gc-tuning.ts";
import { runMain } from "@geolookup/shared/runtime/service/lifecycle.ts";
import { readConfig } from "./config.ts";
import { startStandalone } from "./server.ts";

relaxGarbageCollection();
await runMain("geolookup", {
  readConfig,
  // Imported only then, because it would delay starts.
  checkFiles: async (config) => (await import("./check-files.ts")).checkFiles(config),
  start: startStandalone,
});
