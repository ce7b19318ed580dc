import type { Source } from "../store/source.ts";

/** A part of the geo data that has a version of its own: an npm package, or an edition of MaxMind's. */
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
  /** The hash that its publisher states, with its kind: two of the same are the same data. */
  integrity: string;
  /**
   * Downloads it, checks it, and leaves its databases in an empty folder.
   * @returns the Last-Modified header that came with it; null when it is of no use.
   * @throws StartError if it isn't available, or isn't what it should be.
   */
  fetch(folder: string): Promise<{ lastModified: string | null }>;
}

/** Where what is installed can come from. */
export interface Vendor {
  /** For the operator. */
  name: string;
  parts: readonly Part[];
  /** What is used when nobody chose. By itself, it only takes the place of data that nobody chose either. */
  isDefault: boolean;
}
