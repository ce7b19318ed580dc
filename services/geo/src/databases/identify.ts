import { hash } from "node:crypto";
import { type MmdbMetadata, readMetadata } from "../mmdb/metadata.ts";
import type { DataKind } from "./data-kinds.ts";
import type { KnownFiles } from "./known-files.ts";

/** What the check of a file found. */
export interface CheckedDatabase extends Identity {
  kinds: readonly DataKind[];
}

/** Which file it is. */
export interface Identity {
  metadata: MmdbMetadata;
  /** Of the whole file, hexadecimal. */
  sha256: string;
}

/**
 * The first part of the check of a database: its metadata, and whether it is a known file. A start with installed data
 * does only this, so this file imports nothing that reads records.
 * @param known files whose records need not be read again.
 * @returns the result of its check if it is a known file; otherwise, null.
 * @throws MmdbError if the metadata are invalid.
 */
export function identify(bytes: Buffer, known: KnownFiles): { identity: Identity; checked: CheckedDatabase | null } {
  const identity = { metadata: readMetadata(bytes), sha256: hash("sha256", bytes) };
  const kinds = Object.hasOwn(known, identity.sha256) ? known[identity.sha256] : undefined;
  return { identity, checked: kinds ? { ...identity, kinds } : null };
}
