import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { runRefreshProcess } from "./refresh-process.ts";

await runRefreshProcess(process.env, { installsFirst: process.argv.includes("--install-first") }).catch((error) => {
  process.stderr.write(`geo-data: ${error instanceof StartError ? error.message : error.stack}\n`);
  process.exit(1);
});
