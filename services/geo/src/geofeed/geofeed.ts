import type { Address } from "../lookup/ip-words.ts";
import type { Correction } from "./correction.ts";

/** Corrections by prefix, ready to be looked up. */
export interface Geofeed {
  prefixes: number;
  /** The correction with the longest prefix that holds an address; null when none does. */
  find(address: Address): Correction | null;
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
