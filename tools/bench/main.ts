import { runProgram } from "../../scripts/run-command.ts";
import { runBenchCommand } from "./run.ts";
import { type BenchOptions, declareBench } from "./settings.ts";

await runProgram("bench", (program, context, act) => {
  declareBench(program).action((options: BenchOptions) => act(() => runBenchCommand(context, options)));
});
