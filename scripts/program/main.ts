#!/usr/bin/env node
import { runProgram } from "../run-command.ts";
import { addAll } from "./program.ts";

await runProgram("geolookup", addAll);
