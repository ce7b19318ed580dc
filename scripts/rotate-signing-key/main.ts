import { runCommand } from "../run-command.ts";
import { HELP, runRotate } from "./run.ts";

await runCommand("rotate-signing-key", HELP, runRotate);
