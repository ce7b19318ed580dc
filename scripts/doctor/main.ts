import { runCommand } from "../run-command.ts";
import { HELP, runDoctor } from "./run.ts";

await runCommand("doctor", HELP, runDoctor);
