import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { type Collected, collectPrefixes } from "./collect-prefixes.ts";
import { type Feed, GeofeedError, type LineProblem } from "./geofeed.ts";
import { splitLine } from "./line.ts";
import { parsePrefix } from "./prefix.ts";

/** Of all geofeeds together. */
export const MAX_PREFIXES = 1_000_000;
/** About 2 ms of work per turn of the event loop. */
const LINES_PER_TURN = 500;

/**
 * Reads a geofeed (RFC 8805). Bad lines are reported and skipped; the others apply. Yields to the event loop regularly.
 * @param onProblem called for each problem in the order of the lines; for repeated prefixes, at the end.
 * @param maxPrefixes how many it may have; less than the maximum if there are other geofeeds.
 * @throws GeofeedError if it isn't UTF-8, has too many prefixes, or has lines but no valid one.
 */
export async function readGeofeed(
  bytes: Buffer,
  onProblem: (problem: LineProblem) => void,
  maxPrefixes = MAX_PREFIXES,
): Promise<Feed> {
  const text = decode(bytes);
  const collected = collectPrefixes(maxPrefixes);
  let firstSkipped = "";
  let line = 0;
  for (let start = 0; start < text.length; line++) {
    if (line % LINES_PER_TURN === LINES_PER_TURN - 1) await yieldToEventLoop();
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    const problem = takeLine(text.slice(start, end), line + 1, collected);
    start = end + 1;
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

function takeLine(line: string, lineNumber: number, collected: Collected): Omit<LineProblem, "line"> | null {
  const fields = splitLine(line);
  if (fields === null) return null;
  if (typeof fields === "string") return { text: fields, skipped: true };
  const prefix = parsePrefix(fields.prefix);
  if (typeof prefix === "string") return { text: prefix, skipped: true };
  const correction = collected.correction(fields);
  if (typeof correction === "string") return { text: correction, skipped: true };
  collected.add(prefix, correction, lineNumber);
  if (!fields.hasMore) return null;
  return { text: "everything after the fifth field is ignored; check for an extra comma", skipped: false };
}
