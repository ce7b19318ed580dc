import type { Vendor } from "../sources/part.ts";
import type { Installed } from "../store/installed.ts";
import type { StoredVersion } from "../store/version-store.ts";
import type { Refetch } from "./decide.ts";

/** Whether a run kept the data without looking for newer data, found none, or installed it. */
type FetchOutcome = "kept" | "unchanged" | "updated";

/** A run's outcome, and the version in use after it. */
export interface FetchResult {
  outcome: FetchOutcome;
  stored: StoredVersion;
}

export interface FetchOptions {
  /** Where the versions are. */
  folder: string;
  /** The installed version, if it was read already. */
  installed?: Installed | null;
  vendor: Vendor;
  refetch: Refetch;
  /** Milliseconds since the Unix epoch. */
  now: () => number;
  /** Called with each step, as a message for the operator. */
  say: (line: string) => void;
}
