import { runCommand } from "../run-command.ts";
import { HELP, runSmoke } from "./run.ts";

await runCommand("smoke", HELP, runSmoke);
