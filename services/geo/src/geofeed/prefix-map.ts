import { formatIpv4 } from "@geolookup/shared/domain/ip-words.ts";
import { NETWORK_PREFIXES } from "@geolookup/shared/domain/locate.ts";
import ipaddr from "ipaddr.js";
import type { Prefix } from "./prefix.ts";

/** A prefix as a key: for IPv4 a number, for IPv6 a text, whose units are the prefix length and the bits, 16 in each. */
type Network = number | string;

type Lengths = Record<"ipv4" | "ipv6", readonly number[]>;

/** Values by prefix, of both IP versions. A million of IPv6 take about 110 MB. */
export interface PrefixMap<Value> {
  readonly values: Map<Network, Value>;
  /** The prefix lengths in use, the longest first. */
  readonly lengths: Lengths;
  /** Networks of NETWORK_PREFIXES that contain longer prefixes. */
  readonly divided: Set<Network>;
}

export function createPrefixMap<Value>(): PrefixMap<Value> {
  return { values: new Map(), lengths: { ipv4: [], ipv6: [] }, divided: new Set() };
}

/** Adds a prefix, unless the map has it already. @returns the value that it has then. */
export function addPrefix<Value>(map: PrefixMap<Value>, { words, prefixLength }: Prefix, value: Value): Value {
  const network = networkOf(words, prefixLength);
  const known = map.values.get(network);
  if (known !== undefined) return known;
  map.values.set(network, value);
  const version = versionOf(words);
  addLengths(map.lengths, version, [prefixLength]);
  for (const length of NETWORK_PREFIXES[version]) if (length < prefixLength) map.divided.add(networkOf(words, length));
  return value;
}

/** The prefix lengths that any of the maps has, the longest first. */
export function lengthsOf(maps: readonly PrefixMap<unknown>[]): Lengths {
  const all: Lengths = { ipv4: [], ipv6: [] };
  for (const { lengths } of maps)
    for (const version of ["ipv4", "ipv6"] as const) addLengths(all, version, lengths[version]);
  return all;
}

function addLengths(lengths: Lengths, version: "ipv4" | "ipv6", added: readonly number[]): void {
  if (added.every((length) => lengths[version].includes(length))) return;
  lengths[version] = [...new Set([...lengths[version], ...added])].sort((one, other) => other - one);
}

/**
 * The longest prefix of several maps that contains an address; of the same prefix in several maps, the first map's.
 * @param lengths of all the maps.
 * @param words the address.
 * @returns null if none does.
 */
export function longestMatch<Value>(
  maps: readonly PrefixMap<Value>[],
  lengths: Lengths,
  words: readonly number[],
): { map: number; prefixLength: number; value: Value } | null {
  for (const prefixLength of lengths[versionOf(words)]) {
    const network = networkOf(words, prefixLength);
    for (let map = 0; map < maps.length; map++) {
      const value = maps[map]?.values.get(network);
      if (value !== undefined) return { map, prefixLength, value };
    }
  }
  return null;
}

/** Whether all addresses of an address's network have the same longest prefix. @param length one of NETWORK_PREFIXES. */
export function coversNetwork({ divided }: PrefixMap<unknown>, words: readonly number[], length: number): boolean {
  return !divided.has(networkOf(words, length));
}

/** The prefix of an address in CIDR notation. */
export function prefixText(words: readonly number[], prefixLength: number): string {
  const [first = 0] = words;
  const address =
    words.length === 1
      ? formatIpv4(first - (first % 2 ** (32 - prefixLength)))
      : new ipaddr.IPv6(Array.from({ length: 8 }, (_, unit) => unitOf(words, unit, prefixLength))).toRFC5952String();
  return `${address}/${prefixLength}`;
}

function versionOf({ length }: readonly number[]): "ipv4" | "ipv6" {
  return length === 1 ? "ipv4" : "ipv6";
}

function networkOf(words: readonly number[], prefixLength: number): Network {
  if (words.length === 1) return 2 ** prefixLength + Math.floor((words[0] as number) / 2 ** (32 - prefixLength));
  const units = [prefixLength];
  for (let unit = 0; unit * 16 < prefixLength; unit++) units.push(unitOf(words, unit, prefixLength));
  return String.fromCharCode(...units);
}

/** The bits of an IPv6 address from `16 * unit` on, without those behind the prefix. */
function unitOf(words: readonly number[], unit: number, prefixLength: number): number {
  const bits = ((words[unit >>> 1] as number) >>> (unit % 2 === 0 ? 16 : 0)) & 0xffff;
  const dropped = Math.min(16, Math.max(0, 16 * (unit + 1) - prefixLength));
  return (bits >>> dropped) << dropped;
}
