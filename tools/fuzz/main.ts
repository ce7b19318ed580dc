import { runProgram } from "../../scripts/run-command.ts";
import { runFuzzCommand } from "./run.ts";
import { declareFuzz, type FuzzOptions } from "./settings.ts";

await runProgram("fuzz", (program, context, act) => {
  declareFuzz(program).action((options: FuzzOptions) => act(() => runFuzzCommand(context, options)));
});
