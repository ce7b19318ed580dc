import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { CommandLineError, readArguments } from "../command-line.ts";
import { runCluster } from "./run-cluster.ts";

try {
  readArguments(process.argv.slice(2), {}, 0);
  process.exitCode = await runCluster(process.env);
} catch (error) {
  const isUsage = error instanceof CommandLineError;
  if (!isUsage && !(error instanceof StartError)) throw error;
  process.stderr.write(`cluster: ${error.message}\n`);
  process.exitCode = isUsage ? 2 : 1;
}
