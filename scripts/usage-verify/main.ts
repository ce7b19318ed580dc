import { runCommand } from "../run-command.ts";
import { HELP, runVerify } from "./run.ts";

await runCommand("usage-verify", HELP, runVerify);
