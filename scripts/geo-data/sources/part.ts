import type { FetchPatience } from "../download/fetch-persistently.ts";
import type { Progress } from "../download/progress.ts";
import type { Source } from "../store/source.ts";

/** A part of the geo data that has a version of its own: a month of DB-IP's, an npm package, or an edition of MaxMind's. */
export interface Part {
  name: string;
  /** The databases it gives, in priority order. */
  files: readonly string[];
  /** The type that its first database states, for the attribution. */
  databaseType: string;
  license: string;
  /**
   * Asks what is published now.
   * @param before what is installed of it; null: report everything.
   * @throws StartError
   */
  find(before: Source | null): Promise<Published>;
}

/** What is published of a part. */
export interface Published {
  version: string;
  /**
   * The hash that its publisher states, with its kind, or else what tells one file from another: two of the same are the same
   * data.
   */
  integrity: string;
  /** When it was published, milliseconds since the Unix epoch, if its publisher says so. */
  publishedMs?: number | undefined;
  /**
   * Downloads it, checks it, and leaves its databases in an empty folder.
   * @returns the Last-Modified header that came with it; null when it is of no use.
   * @throws StartError if it isn't available, or isn't what it should be.
   */
  fetch(folder: string): Promise<{ lastModified: string | null }>;
}

/** How parts ask and download. */
export interface SourceOptions {
  patience: FetchPatience;
  /** For asking what is published, if other than for downloads. */
  findPatience?: FetchPatience;
  /** Milliseconds since the Unix epoch. */
  now: () => number;
  /** Called with each step, in words for the operator. */
  say: (line: string) => void;
  progress: (label: string) => Progress;
}

/** Where what is installed can come from. */
export interface Vendor {
  /** For the operator. */
  name: string;
  parts: readonly Part[];
  /** What is used when nobody chose. By itself, it only takes the place of data that nobody chose either. */
  isDefault: boolean;
}
