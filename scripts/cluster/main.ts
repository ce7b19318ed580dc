import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { runCluster } from "./run-cluster.ts";

const [unknown] = process.argv.slice(2);
if (unknown === undefined) await run();
else {
  process.stderr.write(`cluster: unknown argument ${unknown}; it has only settings\n`);
  process.exitCode = 2;
}

async function run(): Promise<void> {
  try {
    process.exitCode = await runCluster(process.env);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(`cluster: ${error.message}\n`);
    process.exitCode = 1;
  }
}
