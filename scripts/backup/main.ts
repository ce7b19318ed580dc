import { runCommand } from "../run-command.ts";
import { HELP, runBackup } from "./run.ts";

await runCommand("backup", HELP, runBackup);
