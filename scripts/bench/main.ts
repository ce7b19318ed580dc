import { StartError } from "@geolookup/shared/runtime/start-error.ts";
import { runBench } from "./run-bench.ts";
import { readBenchSettings } from "./settings.ts";

try {
  const settings = readBenchSettings(process.argv.slice(2), process.env);
  const say = (line: string) => void process.stderr.write(`bench: ${line}\n`);
  const { markdown, ok } = await runBench(settings, process.env, say);
  process.stdout.write(markdown);
  if (!ok) process.exitCode = 1;
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`bench: ${error.message}\n`);
  process.exitCode = 1;
}
