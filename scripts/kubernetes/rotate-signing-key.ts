import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { addRotateSigningKey } from "../program/cluster-commands.ts";
import { runProgram } from "../run-command.ts";

/** `./geolookup rotate signing-key` for Kubernetes: auth pods have copies of the file, from a Secret. */

const SCRIPT = join(import.meta.dirname, "rotate-signing-key.sh");

async function distribute(): Promise<void> {
  const [status] = await once(spawn(SCRIPT, ["distribute"], { stdio: "inherit" }), "exit");
  if (status !== 0) throw new StartError("the file couldn't be copied to the auth pods; run this command again");
}

await runProgram("geolookup rotate", (program, context, act) =>
  addRotateSigningKey(program, context, act, { distribute }),
);
