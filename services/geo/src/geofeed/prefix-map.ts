import { formatIpv4 } from "@geolookup/shared/domain/ip-words.ts";
import { NETWORK_PREFIXES } from "@geolookup/shared/domain/locate.ts";
import ipaddr from "ipaddr.js";
import type { Prefix } from "./prefix.ts";

/** A prefix as a key: for IPv4 a number, for IPv6 a text. */
type Network = number | string;

/** Values by prefix, of both IP versions. */
export interface PrefixMap<Value> {
  readonly values: Map<Network, Value>;
  /** The prefix lengths in use, the longest first. */
  readonly lengths: { ipv4: readonly number[]; ipv6: readonly number[] };
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
  addLengths(map, version, [prefixLength]);
  for (const length of NETWORK_PREFIXES[version]) if (length < prefixLength) map.divided.add(networkOf(words, length));
  return value;
}

/** Adds the lengths and divided networks of another map, whose values are added separately. */
export function addShape(map: PrefixMap<unknown>, { lengths, divided }: PrefixMap<unknown>): void {
  for (const version of ["ipv4", "ipv6"] as const) addLengths(map, version, lengths[version]);
  for (const network of divided) map.divided.add(network);
}

function addLengths({ lengths }: PrefixMap<unknown>, version: "ipv4" | "ipv6", added: readonly number[]): void {
  if (added.every((length) => lengths[version].includes(length))) return;
  lengths[version] = [...new Set([...lengths[version], ...added])].sort((one, other) => other - one);
}

/** The value of the longest prefix that contains an address, which is given as words; null if none does. */
export function longestMatch<Value>(
  { values, lengths }: PrefixMap<Value>,
  words: readonly number[],
): { prefixLength: number; value: Value } | null {
  for (const prefixLength of lengths[versionOf(words)]) {
    const value = values.get(networkOf(words, prefixLength));
    if (value !== undefined) return { prefixLength, value };
  }
  return null;
}

/** Whether all addresses of an address's network have the same longest prefix. @param length one of NETWORK_PREFIXES. */
export function coversNetwork({ divided }: PrefixMap<unknown>, words: readonly number[], length: number): boolean {
  return !divided.has(networkOf(words, length));
}

/** The prefix of an address in CIDR notation. */
export function prefixText(words: readonly number[], prefixLength: number): string {
  const first = words.map((word, index) => {
    const dropped = droppedBits(index, prefixLength);
    return Math.floor(word / 2 ** dropped) * 2 ** dropped;
  });
  const address =
    first.length === 1
      ? formatIpv4(first[0] as number)
      : new ipaddr.IPv6(first.flatMap((word) => [word >>> 16, word & 0xffff])).toRFC5952String();
  return `${address}/${prefixLength}`;
}

function versionOf({ length }: readonly number[]): "ipv4" | "ipv6" {
  return length === 1 ? "ipv4" : "ipv6";
}

function networkOf(words: readonly number[], prefixLength: number): Network {
  const kept = (word: number, index: number) => Math.floor(word / 2 ** droppedBits(index, prefixLength));
  if (words.length === 1) return 2 ** prefixLength + kept(words[0] as number, 0);
  return `${prefixLength} ${words.map(kept).join()}`;
}

/** How many bits of a word are behind a prefix. */
function droppedBits(index: number, prefixLength: number): number {
  return Math.min(32, Math.max(0, 32 * (index + 1) - prefixLength));
}
