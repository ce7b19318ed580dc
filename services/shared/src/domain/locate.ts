import type { RecordText } from "./record-text.ts";

/** The outcome of a lookup. `unreachable` comes from the gateway: no geo node responded. */
export type LocateReason = "found" | "non_public" | "not_found" | "failed" | "unreachable";

export interface Located {
  record: RecordText;
  reason: LocateReason;
}

/** Finds the place of an address. `ip` is canonical (dotted IPv4 or RFC 5952). Never rejects. */
export interface Locator {
  locate(ip: string): Located | Promise<Located>;
}
