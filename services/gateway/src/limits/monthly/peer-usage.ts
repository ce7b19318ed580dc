import type { Month } from "@geolookup/shared/domain/usage.ts";
import type { KeyMonth, Reported } from "./key-month.ts";

/** The counts of all other gateways. */
export interface PeerUsage extends AsyncDisposable {
  /** The total of a key that is new in a month. Rejects only if too many keys are waiting. */
  fetchTotal(keyId: string, month: Month): Reported | Promise<Reported>;
  /** Stores a total once the key is in the ledger. */
  record(key: KeyMonth, reported: Reported): void;
  /**
   * Call before deciding on a key.
   * @returns undefined if the key's total is current. Otherwise a promise that resolves when it is, or when usage is
   * unavailable. Never rejects.
   */
  refreshIfStale(key: KeyMonth): Promise<void> | undefined;
}
