import { createReadStream } from "node:fs";
import { buffer } from "node:stream/consumers";
import { CommandLineError } from "./command-line.ts";
import { deploymentOf } from "./deployment.ts";

/** Standard input, whatever it is. */
export const standardInput = (end = Number.POSITIVE_INFINITY) => createReadStream("", { fd: 0, autoClose: false, end });

/**
 * Refuses a path if the command runs in a container: a file at the same path there is another one, and a new one is lost with the container.
 * @param path "-": standard input or output.
 * @throws CommandLineError
 */
export function refusePathInContainer(path: string, environment: NodeJS.ProcessEnv): void {
  if (path === "-" || !["compose", "kubernetes"].includes(deploymentOf(environment))) return;
  throw new CommandLineError(
    `can't use ${path}: the command runs in a container, without this machine's files. Pass - instead, which is ` +
      "standard input or output",
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
