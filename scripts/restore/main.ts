import { runCommand } from "../run-command.ts";
import { HELP, runRestore } from "./run.ts";

await runCommand("restore", HELP, runRestore);
