import type { Month } from "@geolookup/shared/domain/usage.ts";
import type { KeyMonth } from "./key-month.ts";

/** The era of a total that no node has told. */
export const UNTOLD = -1;

/** What was told of a key. */
export interface Told {
  total: number;
  /** The era in which it was asked for. */
  era: number;
  /** How far in the log the node had read that told it. */
  position: number;
}

/** What all others counted, as the meter needs it. */
export interface Others {
  /** What they counted for a key that is new in a month. Rejects only when too many keys wait for an answer. */
  first(keyId: string, month: Month): Told | Promise<Told>;
  /** Is called with that as soon as the key is in the ledger. */
  learn(key: KeyMonth, told: Told): void;
  /**
   * Is called before a key is decided on. Gives a promise when what is known of others may be old: it resolves when
   * it is not, or cannot be told. Never rejects.
   */
  use(key: KeyMonth): Promise<void> | undefined;
  close(): Promise<void>;
}
