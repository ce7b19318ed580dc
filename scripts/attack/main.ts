import { runCommand } from "../run-command.ts";
import { runAttackCommand } from "./run.ts";
import { HELP } from "./settings.ts";

await runCommand("attack", HELP, runAttackCommand);
