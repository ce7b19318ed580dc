import type { Config } from "../config.ts";
import type { FetchPatience } from "../download/fetch-persistently.ts";
import type { Progress } from "../download/progress.ts";
import { MAX_ARCHIVE_BYTES } from "../download/save-body.ts";
import { maxmindVendor } from "./maxmind/maxmind-parts.ts";
import { npmVendor } from "./npm/npm-parts.ts";
import { readPins } from "./npm/pins.ts";
import type { Vendor } from "./part.ts";

export interface ChooseOptions {
  /** Where the versions are: what is installed decides what is asked for. */
  folder: string;
  patience: FetchPatience;
  /** Milliseconds since the Unix epoch. */
  now: () => number;
  /** Called with each step, in words for the operator. */
  say: (line: string) => void;
  progress: (label: string) => Progress;
}

/** A vendor, and why it is the one, for the operator; null if there was no choice. */
export interface Choice {
  vendor: Vendor;
  reason: string | null;
}

/**
 * Picks the source of geo data that the settings name, or the best one that answers.
 * @throws StartError when none does.
 */
export async function chooseVendor(config: Config, options: ChooseOptions): Promise<Choice> {
  const { registry, pinsFile, maxmind } = config;
  const vendor = maxmind
    ? maxmindVendor({ ...options, ...maxmind, maxBytes: MAX_ARCHIVE_BYTES })
    : npmVendor({ ...options, registry, pins: readPins(pinsFile) });
  return { vendor, reason: null };
}
