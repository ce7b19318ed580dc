import type { Address } from "@geolookup/shared/domain/ip-words.ts";
import type { Correction } from "./correction.ts";
import type { PrefixMap } from "./prefix-map.ts";

/** The line of a prefix, and which of the feed's corrections it has. */
export interface FeedLine {
  line: number;
  correction: number;
}

/** The corrections in one file. */
export interface Feed {
  prefixes: PrefixMap<FeedLine>;
  /** Many prefixes have the same one. */
  corrections: readonly Correction[];
}

/** A feed as operators know it: by its file's name, without the folder. */
export interface NamedFeed {
  name: string;
  feed: Feed;
}

/** The prefix of a feed that contains an address. */
export interface Match {
  feed: string;
  /** In CIDR notation. */
  prefix: string;
  correction: Correction;
}

/** The corrections of all feeds by prefix, ready for lookups. */
export interface Geofeed {
  /** How many different ones. */
  prefixes: number;
  /** The correction with the longest prefix that contains an address, of the same prefixes the first feed's; null if none does. */
  find(address: Address): Correction | null;
  /** Whether `find` returns the same for all addresses of the address's network. False is also possible if it does. */
  coversNetwork(address: Address, prefixLength: number): boolean;
  /** The longest prefix of each feed that contains an address; first the one that `find` applies. Slow, for operators. */
  matches(address: Address): Match[];
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
