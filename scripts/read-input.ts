import { createReadStream } from "node:fs";
import { buffer } from "node:stream/consumers";
import { CommandLineError } from "./command-line.ts";
import { deploymentOf } from "./deployment.ts";

/** Standard input, whatever it is. */
export const standardInput = (end = Number.POSITIVE_INFINITY) => createReadStream("", { fd: 0, autoClose: false, end });

/**
 * Reads a file that the operator named.
 * @param path "-": standard input.
 * @param maxBytes at most one more byte is read, so that the caller notices a longer file.
 * @throws CommandLineError if it can't be read.
 */
export async function readInput(path: string, maxBytes: number, environment: NodeJS.ProcessEnv): Promise<Buffer> {
  try {
    return await buffer(path === "-" ? standardInput(maxBytes) : createReadStream(path, { end: maxBytes }));
  } catch (error) {
    throw new CommandLineError(`can't read ${path}: ${(error as Error).message}${adviceIn(environment)}`);
  }
}

/** This machine's files aren't in the container where a command runs. */
function adviceIn(environment: NodeJS.ProcessEnv): string {
  return ["compose", "kubernetes"].includes(deploymentOf(environment))
    ? ". The command runs in a container: pass the file on standard input, with - as its name"
    : "";
}
