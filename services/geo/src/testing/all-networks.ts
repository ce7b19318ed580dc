import ipaddr from "ipaddr.js";
import type { Reader, Response } from "maxmind";

/** What isn't public, or is looked up by the IPv4 address inside: IANA's special-purpose registries, written down again. */
const LEFT_OUT = {
  ipv4: [
    ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"],
    ...["192.0.2.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3"],
  ],
  ipv6: [
    ...["::/3", "4000::/2", "8000::/1", "2001::/32", "2001:2::/48", "2001:10::/28", "2001:20::/28"],
    ...["2001:db8::/32", "2002::/16", "3fff::/20"],
  ],
};

/** A network on which each reader has one record; null where it has none. */
export interface ReadNetwork {
  records: unknown[];
  prefixLength: number;
}

/**
 * All public networks of a family, found by asking MaxMind's own reader for one address after another: slow, and
 * independent of our code.
 */
export function* allNetworks(
  family: "ipv4" | "ipv6",
  readers: readonly Pick<Reader<Response>, "getWithPrefixLength">[],
): Iterable<ReadNetwork> {
  const bits = family === "ipv4" ? 32 : 128;
  const end = 1n << BigInt(bits);
  const leftOut = LEFT_OUT[family].map((network) => {
    const [base, length] = ipaddr.parseCIDR(network);
    const first = base.toByteArray().reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
    return { first, last: first + (1n << BigInt(bits - length)) - 1n };
  });
  for (let at = 0n; at < end; ) {
    const inside = leftOut.find(({ first, last }) => first <= at && at <= last);
    if (inside) {
      at = inside.last + 1n;
      continue;
    }
    const ip = textOf(at, bits);
    const found = readers.map((reader) => reader.getWithPrefixLength(ip));
    let prefixLength = Math.max(0, ...found.map(([, length]) => length));
    const lastOf = (length: number) => at + (1n << BigInt(bits - length)) - 1n;
    const isCut = (length: number) =>
      at % (1n << BigInt(bits - length)) !== 0n || leftOut.some(({ first }) => at < first && first <= lastOf(length));
    while (isCut(prefixLength)) prefixLength += 1;
    yield { records: found.map(([record]) => record), prefixLength };
    at = lastOf(prefixLength) + 1n;
  }
}

function textOf(address: bigint, bits: number): string {
  const bytes = Array.from({ length: bits / 8 }, (_, index) =>
    Number((address >> BigInt(bits - 8 - index * 8)) & 255n),
  );
  return ipaddr.fromByteArray(bytes).toString();
}
