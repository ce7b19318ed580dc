import type { Finding } from "./finding.ts";

/** How one vendor lays out its records. */
export interface Schema {
  /** Shown to operators, e.g. "maxmind". */
  name: string;
  /** The database types (metadata `database_type`) that may have this layout. */
  databaseType: RegExp;
  /** The file names (without folder) that it is limited to; any if absent. */
  fileName?: RegExp;
  /** Whether a record has this layout; a database has it when one record of its sample does. */
  matches(record: unknown): boolean;
  /** Reads a record of this layout; what is missing or malformed is null. Never throws. */
  read(record: unknown): Finding;
  /** Makes the names in a finding uniform, for vendors whose names are not. Only lookups need it, not the check of a file. */
  unify?(finding: Finding): Finding;
}
