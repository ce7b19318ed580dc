import { createReadStream } from "node:fs";
import { buffer } from "node:stream/consumers";
import { CommandLineError } from "./command-line.ts";
import { deploymentOf } from "./deployment.ts";

/** Standard input, whatever it is. */
export const standardInput = (end = Number.POSITIVE_INFINITY) => createReadStream("", { fd: 0, autoClose: false, end });

/**
 * Refuses a path if the command runs in a container: at the same path there, it would find another file, or none.
 * @param path "-": standard input.
 * @throws CommandLineError
 */
export function refusePathInContainer(path: string, environment: NodeJS.ProcessEnv): void {
  if (path === "-" || !["compose", "kubernetes"].includes(deploymentOf(environment))) return;
  throw new CommandLineError(
    `can't read ${path}: the command runs in a container, without this machine's files. Pass the file on standard ` +
      "input, with - as its name",
  );
}

/**
 * Reads a file that the operator named.
 * @param path "-": standard input.
 * @param maxBytes at most one more byte is read, so that the caller notices a longer file.
 * @throws CommandLineError if it can't be read.
 */
export async function readInput(path: string, maxBytes: number, environment: NodeJS.ProcessEnv): Promise<Buffer> {
  refusePathInContainer(path, environment);
  try {
    return await buffer(path === "-" ? standardInput(maxBytes) : createReadStream(path, { end: maxBytes }));
  } catch (error) {
    throw new CommandLineError(`can't read ${path}: ${(error as Error).message}`);
  }
}
