import { canonicalAddress, clientAddress, parseHop, parseTrustProxy } from "./client-address.ts";

/** One step of the walk from the peer to the caller. */
export interface Step {
  /** `the peer`, or an entry of X-Forwarded-For as it was sent. */
  hop: string;
  /** What this step decides. */
  says: string;
}

/**
 * Explains which address the gateway uses as the caller's.
 * @param trustProxy the gateway's setting TRUST_PROXY.
 * @param peer the address that the connection comes from.
 * @throws Error if the setting or the peer is invalid.
 */
export function explainAddress(
  trustProxy: string,
  peer: string,
  forwardedFor: string | undefined,
): { caller: string; steps: Step[] } {
  const trusts = parseTrustProxy(trustProxy);
  let current = canonicalAddress(peer);
  if (current === null) throw new Error(`${JSON.stringify(peer)} isn't an IP address`);
  const caller = clientAddress(peer, forwardedFor, trusts);
  const hops = forwardedFor ? forwardedFor.split(",").reverse() : [];
  const steps: Step[] = [];
  let hop = "the peer";
  for (;;) {
    if (!trusts(current)) {
      const rest = hops.length === 0 ? "" : "; entries to its left may be forged";
      steps.push({ hop, says: `${current} isn't trusted, so it is the caller${rest}` });
      return { caller, steps };
    }
    const next = hops.shift();
    if (next === undefined) {
      steps.push({ hop, says: `${current} is trusted and there is no entry before it, so it is the caller` });
      return { caller, steps };
    }
    steps.push({ hop, says: `${current} is trusted, so the X-Forwarded-For entry before it counts` });
    hop = JSON.stringify(next.trim());
    const address = parseHop(next);
    if (address === null) {
      steps.push({ hop, says: `isn't an IP address, so the nearest trusted address, ${current}, is the caller` });
      return { caller, steps };
    }
    current = address;
  }
}
