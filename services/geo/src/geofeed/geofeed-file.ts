import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { readWhole } from "../databases/whole-file.ts";
import { type Feed, GeofeedError, type LineProblem } from "./geofeed.ts";
import { type ReadOptions, readGeofeed } from "./read-geofeed.ts";

const MAX_BYTES = 100_000_000;

/** The problem of a file that isn't there: unlike other problems, it can be a removal. */
export class MissingGeofeedError extends StartError {}

/**
 * Reads a geofeed file.
 * @param onProblem called for each problem, in the order of the lines.
 * @param options as for `readGeofeed`.
 * @returns the corrections, and the signature of the file.
 * @throws MissingGeofeedError, or StartError, that names the file and says what to do, if it can't be used as a whole.
 */
export async function readGeofeedFile(
  path: string,
  onProblem: (problem: LineProblem) => void,
  options: ReadOptions = {},
): Promise<{ feed: Feed; signature: string }> {
  try {
    const whole = await readWhole(path, MAX_BYTES);
    if (whole === null) throw new GeofeedError("it is being written right now");
    return { feed: await readGeofeed(whole.bytes, onProblem, options), signature: whole.signature };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT")
      throw new MissingGeofeedError(
        `the geofeed file ${path} is missing; create it (it may be empty) or remove it from GEOFEED_FILE`,
      );
    const problem = error instanceof GeofeedError ? "cannot be used" : "cannot be read";
    throw new StartError(`the geofeed file ${path} ${problem}: ${message}`);
  }
}

/** A problem as one line for an operator. */
export function problemText({ line, text, skipped }: LineProblem): string {
  return `line ${line}${skipped ? "" : " (applies)"}: ${text}`;
}
