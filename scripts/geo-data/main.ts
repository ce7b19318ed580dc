import { runProgram } from "../run-command.ts";
import { addData } from "./command.ts";

await runProgram("geo-data", addData);
