import { runMain } from "@geolookup/shared/runtime/service/lifecycle.ts";
import { checkInternalFiles } from "@geolookup/shared/runtime/tls/internal-files.ts";
import { readConfig } from "./config.ts";
import { startUsage } from "./server.ts";

await runMain("usage", {
  readConfig,
  checkFiles: ({ internalTls }) => checkInternalFiles(internalTls, "usage"),
  start: startUsage,
});
