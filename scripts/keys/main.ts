import { systemClock } from "@geolookup/shared/domain/clock.ts";
import { runKeys } from "./run.ts";

// `keys list | head` closes the pipe early; that isn't a failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

const status = await runKeys({
  args: process.argv.slice(2),
  environment: process.env,
  clock: systemClock,
  print: (text) => process.stdout.write(text),
  printError: (text) => process.stderr.write(text),
});
// Ends by itself here: with an HTTP/2 connection just lost, Node 24 may never find its own end.
process.stdout.write("", () => process.exit(status));
