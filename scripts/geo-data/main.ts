import { runCommand } from "../run-command.ts";
import { HELP, readCommand } from "./command-line.ts";
import { performCommand } from "./commands.ts";

await runCommand("geo-data", HELP, async ({ args, environment }) => {
  await performCommand(readCommand(args), environment, Date.now);
  return 0;
});
