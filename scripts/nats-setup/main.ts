import { runCommand } from "../run-command.ts";
import { HELP, runNatsSetup } from "./run.ts";

await runCommand("nats-setup", HELP, runNatsSetup);
