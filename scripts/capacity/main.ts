import { runCommand } from "../run-command.ts";
import { runCapacity } from "./run.ts";
import { HELP } from "./settings.ts";

await runCommand("capacity", HELP, runCapacity);
