import { lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import type { Agent } from "undici";

/** A name has an address that must not be connected to. */
export class RefusedAddressError extends Error {}

export interface AgentOptions {
  /** Instead of the system's resolver. */
  resolve?: typeof lookup;
  /** Certificate authorities to trust, PEM; the system's by default. */
  ca?: string;
}

/**
 * Connections to hosts with allowed addresses only. The addresses that are checked are those that are connected to.
 * @param isAllowed decides about an address; one that isn't allowed is enough to refuse a name.
 */
export function createAgent(
  undici: typeof import("undici"),
  isAllowed: (address: string) => boolean,
  { resolve = lookup, ca }: AgentOptions,
): Agent {
  const checkedLookup: LookupFunction = (hostname, options, callback) =>
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      if (!addresses.every(({ address }) => isAllowed(address)))
        return callback(new RefusedAddressError(`${hostname} has an address that isn't allowed`), []);
      if (options.all) return callback(null, addresses);
      const [first] = addresses;
      return first
        ? callback(null, first.address, first.family)
        : callback(new Error(`${hostname} has no address`), []);
    });
  return new undici.Agent({
    connect: { lookup: checkedLookup, ...(ca === undefined ? {} : { ca }) },
    allowH2: false,
    // Downloads are rare, so connections aren't kept.
    keepAliveTimeout: 1_000,
    keepAliveMaxTimeout: 1_000,
  });
}
