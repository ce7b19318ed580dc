import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { parseIpv4, parseIpv6 } from "../ip-words.ts";
import { createSearchTree } from "../mmdb/search-tree.ts";
import { type Correction, correctionOf, type PlaceFields } from "./correction.ts";
import { splitLine } from "./line.ts";
import { type Prefix, parsePrefix } from "./prefix.ts";

const MAX_PREFIXES = 1_000_000;
/** Some 2 ms of work between two turns of the event loop. */
const LINES_PER_TURN = 500;
const INSERTS_PER_TURN = 5_000;

/** Corrections by prefix, ready to be looked up. */
export interface Geofeed {
  prefixes: number;
  /** The correction with the longest prefix that holds a canonical address; null when none does. */
  find(address: string): Correction | null;
}

/** What was found in a line. The text repeats no address. */
export interface LineProblem {
  /** The first line is 1. */
  line: number;
  text: string;
  /** Whether the line was left out; else it applies all the same. */
  skipped: boolean;
}

/** What keeps a whole file from being used: one line for an operator, without the file's name. */
export class GeofeedError extends Error {
  override readonly name = "GeofeedError";
}

/**
 * Reads a geofeed (RFC 8805): a bad line is told and left out, the others apply. Yields to the event loop as it goes.
 * @param onProblem told of each problem, in the order of the lines.
 * @throws GeofeedError when it is no UTF-8 text, has too many prefixes, or lines of which none is good.
 */
export async function readGeofeed(
  bytes: Buffer,
  onProblem: (problem: LineProblem) => void,
  maxPrefixes = MAX_PREFIXES,
): Promise<Geofeed> {
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
  // Another file by mistake, a page of an error: no reason to drop the corrections in use.
  if (collected.count() === 0 && firstSkipped !== "")
    throw new GeofeedError(`none of its lines can be used; ${firstSkipped}`);
  return collected.build();
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
  const earlierLine = collected.add(prefix, correction, lineNumber);
  if (earlierLine !== null) return { text: `line ${earlierLine} has the same prefix, and counts`, skipped: true };
  if (!fields.hasMore) return null;
  return { text: "what stands behind the fifth field is ignored; is there a comma too many?", skipped: false };
}

type Collected = ReturnType<typeof collectPrefixes>;

function collectPrefixes(maxPrefixes: number) {
  const byLength: { words: readonly number[]; correction: number }[][] = [];
  const lineOf = new Map<string, number>();
  const corrections: Correction[] = [];
  const known = new Map<string, number | string>();

  return {
    count: () => lineOf.size,

    /**
     * Feeds say the same of many prefixes: it is worked out and kept once.
     * @returns the number of the correction that the fields make, or what is wrong with them.
     */
    correction(fields: PlaceFields): number | string {
      const key = `${fields.country}\n${fields.region}\n${fields.city}\n${fields.postalCode}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      const made = correctionOf(fields);
      const told = typeof made === "string" ? made : corrections.push(made) - 1;
      known.set(key, told);
      return told;
    },

    /** @returns the line that had this prefix before; null when none had, and it is added. */
    add({ words, prefixLength }: Prefix, correction: number, line: number): number | null {
      const key = `${words.join()}/${prefixLength}`;
      const earlier = lineOf.get(key);
      if (earlier !== undefined) return earlier;
      if (lineOf.size === maxPrefixes) throw new GeofeedError(`it has more than ${maxPrefixes} prefixes`);
      lineOf.set(key, line);
      byLength[prefixLength] ??= [];
      byLength[prefixLength].push({ words, correction });
      return null;
    },

    async build(): Promise<Geofeed> {
      const ipv4 = createSearchTree();
      const ipv6 = createSearchTree();
      let inserted = 0;
      for (const [prefixLength, ofLength] of byLength.entries())
        for (const { words, correction } of ofLength ?? []) {
          (words.length === 1 ? ipv4 : ipv6).insert(words, 0, prefixLength, correction);
          if (++inserted % INSERTS_PER_TURN === 0) await yieldToEventLoop();
        }
      return {
        prefixes: inserted,
        find(address) {
          const word = parseIpv4(address);
          const words = word === null ? parseIpv6(address) : null;
          const index = word !== null ? ipv4.find([word]) : words !== null ? ipv6.find(words) : -1;
          return index < 0 ? null : (corrections[index] as Correction);
        },
      };
    },
  };
}
