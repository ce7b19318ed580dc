import { type Caller, hopBefore } from "@geolookup/shared/runtime/http/client-address.ts";
import type { RequestHead } from "./exchange.ts";

/** The visitor of a back end whose key can look up visitors, or a notice that explains why the back end itself was located. */
export type ForwardedVisitor = { address: string; notice: null } | { address: null; notice: string };

const NO_ADDRESS = "X-Forwarded-For has no valid visitor address, so this is the sender's own location";
/** On one machine with `make start`, that address is the visitor's. */
const ALREADY_TRUSTED =
  "X-Forwarded-For has no valid visitor address beyond the one that TRUST_PROXY already accepts, so this is that one's location";

/**
 * The caller counts as one more trusted hop: exactly one further entry of X-Forwarded-For is read. What a visitor sent to the
 * caller is to the left of it, and has no effect.
 */
export function forwardedVisitor(caller: Caller, { headers }: RequestHead): ForwardedVisitor {
  const address = hopBefore(caller, headers["x-forwarded-for"] as string | undefined);
  if (address !== null) return { address, notice: null };
  return { address, notice: caller.unreadEnd < 0 ? ALREADY_TRUSTED : NO_ADDRESS };
}
