import { runCommand } from "../run-command.ts";
import { HELP, runGeofeedCheck } from "./run.ts";

await runCommand("geofeed-check", HELP, runGeofeedCheck);
