import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { type Collected, collectPrefixes } from "./collect-prefixes.ts";
import { type Feed, GeofeedError, type LineProblem } from "./geofeed.ts";
import { LINE_END, splitLine } from "./line.ts";
import { parsePrefix } from "./prefix.ts";

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
 * @param onProblem called for each problem in the order of the lines; for repeated prefixes, at the end.
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
  if (collected.count() === 0 && firstSkipped !== "")
    throw new GeofeedError(`none of its lines can be used; ${firstSkipped}`);
  return collected.finish(onProblem);
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
  collected.add(prefix, index, lineNumber);
  const extra = fields.hasMore ? "everything after the fifth field is ignored; check for an extra comma" : null;
  const warnings = [warning, extra].filter((text) => text !== null);
  return warnings.length === 0 ? null : { text: warnings.join("; "), skipped: false };
}
