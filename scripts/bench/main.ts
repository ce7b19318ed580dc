import { runCommand } from "../run-command.ts";
import { runBenchCommand } from "./run.ts";
import { HELP } from "./settings.ts";

await runCommand("bench", HELP, runBenchCommand);
