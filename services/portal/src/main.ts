import { runMain } from "@geolookup/shared/runtime/service/lifecycle.ts";
import { checkInternalFiles } from "@geolookup/shared/runtime/tls/internal-files.ts";
import { readConfig } from "./config.ts";
import { startPortal } from "./server.ts";

await runMain("portal", {
  readConfig,
  checkFiles: ({ internalTls }) => checkInternalFiles(internalTls, "portal"),
  start: startPortal,
});
