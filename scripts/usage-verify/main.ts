import { runVerify } from "./run.ts";

const status = await runVerify({
  environment: process.env,
  print: (text) => process.stdout.write(text),
  printError: (text) => process.stderr.write(text),
});
// Ends by itself here: with an HTTP/2 connection just lost, Node 24 may never find its own end.
process.stdout.write("", () => process.exit(status));
