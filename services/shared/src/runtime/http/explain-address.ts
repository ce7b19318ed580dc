import { canonicalAddress, findCaller, hopBefore, parseHop, parseTrustProxy } from "./client-address.ts";

/** One step of the walk from the peer to the caller. */
export interface Step {
  /** `the peer`, or an entry of X-Forwarded-For as it was sent. */
  hop: string;
  /** What this step decides. */
  says: string;
}

export interface Explanation {
  caller: string;
  steps: Step[];
  /** What to check, and what differs for some keys. */
  notes: string[];
}

/** Addresses that no visitor from the internet has. */
const isPrivate = parseTrustProxy("loopback,linklocal,uniquelocal");

/**
 * Explains which address the gateway uses as the caller's.
 * @param trustProxy the gateway's setting TRUST_PROXY.
 * @param peer the address that the connection comes from.
 * @throws Error if the setting or the peer is invalid.
 */
export function explainAddress(trustProxy: string, peer: string, forwardedFor: string | undefined): Explanation {
  const trusts = parseTrustProxy(trustProxy);
  let current = canonicalAddress(peer);
  if (current === null) throw new Error(`${JSON.stringify(peer)} isn't an IP address`);
  const found = findCaller(peer, forwardedFor, trusts);
  const explanation = (steps: Step[]) => ({
    caller: found.address,
    steps,
    notes: [privateNote(found.address, trusts), visitorNote(hopBefore(found, forwardedFor))].filter(
      (note) => note !== null,
    ),
  });
  const hops = forwardedFor ? forwardedFor.split(",").reverse() : [];
  const steps: Step[] = [];
  let hop = "the peer";
  for (;;) {
    if (!trusts(current)) {
      const rest = hops.length === 0 ? "" : "; entries to its left may be forged";
      steps.push({ hop, says: `${current} isn't trusted, so it is the caller${rest}` });
      return explanation(steps);
    }
    const next = hops.shift();
    if (next === undefined) {
      steps.push({ hop, says: `${current} is trusted and there is no entry before it, so it is the caller` });
      return explanation(steps);
    }
    steps.push({ hop, says: `${current} is trusted, so the X-Forwarded-For entry before it counts` });
    hop = JSON.stringify(next.trim());
    const address = parseHop(next);
    if (address === null) {
      steps.push({ hop, says: `isn't an IP address, so the nearest trusted address, ${current}, is the caller` });
      return explanation(steps);
    }
    current = address;
  }
}

/** A private address usually belongs to a proxy. */
function privateNote(caller: string, trusts: (ip: string) => boolean): string | null {
  if (!isPrivate(caller)) return null;
  return trusts(caller)
    ? `${caller} is a private address, which has no location. Your proxy must add the visitor's address to X-Forwarded-For`
    : `${caller} is a private address, which has no location. If it is your proxy's, add it to TRUST_PROXY`;
}

function visitorNote(visitor: string | null): string | null {
  return visitor && `For a key that can look up visitors, the next entry is the caller: ${visitor}`;
}
