import { constants, setPriority } from "node:os";
import { runCommand } from "../run-command.ts";
import { HELP } from "./command-line.ts";
import { runDataReport } from "./run.ts";

try {
  // Requests of a service on the same machine go first.
  setPriority(constants.priority.PRIORITY_LOW);
} catch {
  // Where that isn't allowed, the report is only less considerate.
}
await runCommand("data-report", HELP, runDataReport);
