import { systemClock } from "@geolookup/shared/runtime/clock.ts";
import { runKeys } from "./run.ts";

process.exitCode = await runKeys({
  args: process.argv.slice(2),
  environment: process.env,
  clock: systemClock,
  print: (text) => process.stdout.write(text),
  printError: (text) => process.stderr.write(text),
});
