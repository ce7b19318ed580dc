import { StartError } from "@geolookup/shared/runtime/start-error.ts";
import { runMemoryBench } from "./memory/run-memory-bench.ts";
import { runBench } from "./run-bench.ts";
import { readBenchSettings } from "./settings.ts";

let stopped = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => {
    stopped = true;
  });
const say = (line: string) => {
  if (stopped) throw new StartError("stopped");
  process.stderr.write(`bench: ${line}\n`);
};

try {
  const settings = readBenchSettings(process.argv.slice(2), process.env);
  const run = settings.memory ? runMemoryBench : runBench;
  const { markdown, ok } = await run(settings, process.env, say);
  process.stdout.write(markdown);
  if (!ok) process.exitCode = 1;
} catch (error) {
  // A terminal's Ctrl-C ends the contestants too, which makes other errors of it.
  const expected = stopped || error instanceof StartError;
  process.stderr.write(`bench: ${stopped ? "stopped" : (error as Error)[expected ? "message" : "stack"]}\n`);
  process.exitCode = 1;
}
