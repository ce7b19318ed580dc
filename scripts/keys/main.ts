import { systemClock } from "@geolookup/shared/domain/clock.ts";
import { runCommand } from "../run-command.ts";
import { HELP } from "./command-line.ts";
import { runKeys } from "./run.ts";

await runCommand("keys", HELP, (context) => runKeys(context, systemClock));
