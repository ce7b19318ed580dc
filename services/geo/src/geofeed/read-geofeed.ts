import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { readWhole } from "../databases/whole-file.ts";
import { type Correction, correctionOf, type PlaceFields } from "./correction.ts";
import { type Feed, type FeedLine, GeofeedError, type LineProblem } from "./geofeed.ts";
import { LINE_END, splitLine } from "./line.ts";
import { type Prefix, parsePrefix } from "./prefix.ts";
import { addPrefix, createPrefixMap } from "./prefix-map.ts";

/** Of one file. */
const MAX_BYTES = 100_000_000;
/** Of all geofeeds together. */
export const MAX_PREFIXES = 1_000_000;
/** About 2 ms of work per turn of the event loop. */
const LINES_PER_TURN = 500;

export interface ReadOptions {
  maxPrefixes?: number;
  isStrict?: boolean;
}

/**
 * Reads a geofeed (RFC 8805). Bad lines are reported and skipped; the others apply. Yields to the event loop regularly.
 * @param onProblem called for each problem in the order of the lines.
 * @param options.maxPrefixes how many it may have; less than the maximum if there are other geofeeds.
 * @param options.isStrict whether to skip lines whose region isn't a current code. Otherwise they apply, if need be without it.
 * @throws GeofeedError if it isn't UTF-8, has too many prefixes, or has lines but no valid one.
 */
export async function readGeofeed(
  bytes: Buffer,
  onProblem: (problem: LineProblem) => void,
  { maxPrefixes = MAX_PREFIXES, isStrict = false }: ReadOptions = {},
): Promise<Feed> {
  const text = decode(bytes);
  const collected = collectPrefixes(maxPrefixes);
  let firstSkipped = "";
  let line = 0;
  for (let start = 0; start < text.length; line++) {
    if (line % LINES_PER_TURN === LINES_PER_TURN - 1) await yieldToEventLoop();
    LINE_END.lastIndex = start;
    const [separator] = LINE_END.exec(text) ?? [];
    const end = separator === undefined ? text.length : LINE_END.lastIndex - separator.length;
    const problem = takeLine(text.slice(start, end), line + 1, collected, isStrict);
    start = end + (separator?.length ?? 0);
    if (problem === null) continue;
    onProblem({ line: line + 1, ...problem });
    if (problem.skipped) firstSkipped ||= `line ${line + 1}: ${problem.text}`;
  }
  // Probably the wrong file, or an error page: keep the corrections in use.
  if (collected.feed.prefixes.values.size === 0 && firstSkipped !== "")
    throw new GeofeedError(`none of its lines can be used; ${firstSkipped}`);
  return collected.feed;
}

function decode(bytes: Buffer): string {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    throw new GeofeedError("it is UTF-16 text; save it as UTF-8");
  return bytes.toString("utf8").replace(/^\ufeff/, "");
}

function takeLine(
  line: string,
  lineNumber: number,
  collected: Collected,
  isStrict: boolean,
): Omit<LineProblem, "line"> | null {
  const fields = splitLine(line);
  if (fields === null) return null;
  if (typeof fields === "string") return { text: fields, skipped: true };
  const prefix = parsePrefix(fields.prefix);
  if (typeof prefix === "string") return { text: prefix, skipped: true };
  const correction = collected.correction(fields);
  if (typeof correction === "string") return { text: correction, skipped: true };
  const { index, warning } = correction;
  if (warning !== null && isStrict) return { text: warning, skipped: true };
  const first = collected.add(prefix, index, lineNumber);
  if (first !== lineNumber) return { text: `line ${first} has the same prefix, and counts`, skipped: true };
  const extra = fields.hasMore ? "everything after the fifth field is ignored; check for an extra comma" : null;
  const warnings = [warning, extra].filter((text) => text !== null);
  return warnings.length === 0 ? null : { text: warnings.join("; "), skipped: false };
}

/** The corrections in the lines read so far. */
type Collected = ReturnType<typeof collectPrefixes>;

/** Collects corrections by prefix, up to a maximum. */
function collectPrefixes(maxPrefixes: number) {
  const prefixes = createPrefixMap<FeedLine>();
  const corrections: Correction[] = [];
  const known = new Map<string, ReturnType<typeof add> | string>();
  const add = ({ correction, warning }: { correction: Correction; warning: string | null }) => ({
    index: corrections.push(correction) - 1,
    warning,
  });

  return {
    feed: { prefixes, corrections } satisfies Feed,

    /**
     * Feeds repeat the same place for many prefixes, so it is built and stored once.
     * @returns the index of the correction and what is doubtful about it, or what is wrong with the fields.
     */
    correction(fields: PlaceFields): ReturnType<typeof add> | string {
      const key = `${fields.country}\n${fields.region}\n${fields.city}\n${fields.postalCode}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      const made = correctionOf(fields);
      const found = typeof made === "string" ? made : add(made);
      known.set(key, found);
      return found;
    },

    /** @returns the first line with that prefix, which counts. @throws GeofeedError when there are too many. */
    add(prefix: Prefix, correction: number, line: number): number {
      if (prefixes.values.size === maxPrefixes)
        throw new GeofeedError(
          `it has more than ${maxPrefixes} prefixes, which is all that the limit for all geofeeds leaves it`,
        );
      return addPrefix(prefixes, prefix, { line, correction }).line;
    },
  };
}

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
