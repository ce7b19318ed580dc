import type { Address } from "@geolookup/shared/domain/ip-words.ts";
import type { Correction } from "./correction.ts";

/** Corrections by prefix, ready for lookups. */
export interface Geofeed {
  prefixes: number;
  /** The correction with the longest prefix that contains an address; null if none does. */
  find(address: Address): Correction | null;
}

/** A problem in a line. Its text never repeats an address. */
export interface LineProblem {
  /** The first line is 1. */
  line: number;
  text: string;
  /** Whether the line was skipped; otherwise it applies. */
  skipped: boolean;
}

/** Why a file can't be used at all: one line for an operator, without the file's name. */
export class GeofeedError extends Error {
  override readonly name = "GeofeedError";
}
