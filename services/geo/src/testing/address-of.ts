import { type Address, parseIpv4, parseIpv6 } from "@geolookup/shared/domain/ip-words.ts";

/** The address that a text is, public or not. */
export function addressOf(ip: string): Address {
  const address = parseIpv4(ip) ?? parseIpv6(ip);
  if (address === null) throw new Error(`no address: ${ip}`);
  return address;
}
