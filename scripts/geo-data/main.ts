import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { readCommand, UsageError } from "./command-line.ts";
import { runCommand } from "./commands.ts";

try {
  await runCommand(readCommand(process.argv.slice(2)), process.env, Date.now);
} catch (error) {
  const expected = error instanceof StartError || (error as NodeJS.ErrnoException).syscall !== undefined;
  process.stderr.write(
    `geo-data: ${expected || error instanceof UsageError ? (error as Error).message : (error as Error).stack}\n`,
  );
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
