/**
 * Prefix lengths of the networks whose records gateways cache, the largest network first. Every such network is either entirely public or
 * entirely non-public (`services/geo/src/mmdb/address.ts`). The smallest has 32 addresses, so nothing is cached by address.
 */
export const NETWORK_PREFIXES: Readonly<Record<"ipv4" | "ipv6", readonly number[]>> = { ipv4: [24, 27], ipv6: [48] };
