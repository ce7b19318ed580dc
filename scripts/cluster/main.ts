import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { runCluster } from "./run-cluster.ts";

try {
  process.exitCode = await runCluster(process.env);
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`cluster: ${error.message}\n`);
  process.exitCode = 1;
}
