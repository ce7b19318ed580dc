import { systemClock } from "@geolookup/shared/runtime/clock.ts";
import { runKeys } from "./run.ts";

// `keys list | head` closes the pipe early; that is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

process.exitCode = await runKeys({
  args: process.argv.slice(2),
  environment: process.env,
  clock: systemClock,
  print: (text) => process.stdout.write(text),
  printError: (text) => process.stderr.write(text),
});
