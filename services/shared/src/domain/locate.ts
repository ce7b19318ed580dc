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

/**
 * Prefix lengths of the networks whose records gateways cache, the largest network first. Every such network is either entirely public or
 * entirely non-public (`services/geo/src/mmdb/address.ts`). The smallest has 32 addresses, so nothing is cached by address.
 */
export const NETWORK_PREFIXES: Readonly<Record<"ipv4" | "ipv6", readonly number[]>> = { ipv4: [24, 27], ipv6: [48] };
