/**
 * Prefix lengths of the networks whose records gateways cache, the largest network first. Each is within a network that is public as a whole,
 * or not at all (`services/geo/src/lookup/address.ts`), and has more than a few addresses, so that nothing is cached by address.
 */
export const NETWORK_PREFIXES: Readonly<Record<"ipv4" | "ipv6", readonly number[]>> = { ipv4: [24, 27], ipv6: [48] };
