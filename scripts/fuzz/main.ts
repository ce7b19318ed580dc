import { runCommand } from "../run-command.ts";
import { runFuzzCommand } from "./run.ts";
import { HELP } from "./settings.ts";

await runCommand("fuzz", HELP, runFuzzCommand);
