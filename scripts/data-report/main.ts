import { constants, setPriority } from "node:os";
import { runCommand } from "../run-command.ts";
import { HELP } from "./command-line.ts";
import { runDataReport } from "./run.ts";

try {
  // Requests to a service on the same machine have priority.
  setPriority(constants.priority.PRIORITY_LOW);
} catch {
  // If that isn't allowed, the report competes for the CPU.
}
await runCommand("data-report", HELP, runDataReport);
