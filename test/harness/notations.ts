import { isIPv4 } from "node:net";

/**
 * Every notation of an address: text forms, hexadecimal, whole number, base64, URL-encoded.
 * @param address IPv4, or IPv6 with all eight groups written out.
 */
export function notationsOf(address: string): string[] {
  return isIPv4(address) ? ipv4Notations(address) : ipv6Notations(address);
}

function ipv4Notations(address: string): string[] {
  const bytes = Buffer.from(address.split(".").map(Number));
  const hex = bytes.toString("hex");
  return [
    address,
    address.split(".").reverse().join("."),
    address.replaceAll(".", "-"),
    hex,
    `${hex.slice(0, 4)}:${hex.slice(4)}`,
    String(bytes.readUInt32BE()),
    bytes.toString("base64").replace(/=+$/, ""),
    Buffer.from(address).toString("base64").replace(/=+$/, ""),
    [...bytes].join(","),
  ];
}

function ipv6Notations(address: string): string[] {
  const groups = address.split(":").map((group) => Number.parseInt(group, 16));
  const bytes = Buffer.alloc(16);
  for (const [index, group] of groups.entries()) bytes.writeUInt16BE(group, index * 2);
  const short = groups.map((group) => group.toString(16)).join(":");
  const compressed = short.replace(/(:0)+:/, "::");
  const hex = bytes.toString("hex");
  const expanded = hex.replace(/(....)(?=.)/g, "$1:");
  return [
    short,
    compressed,
    expanded,
    hex,
    String(BigInt(`0x${hex}`)),
    bytes.toString("base64").replace(/=+$/, ""),
    ...[short, compressed, expanded].map((text) => encodeURIComponent(text)),
    ...[short, compressed, expanded].map((text) => Buffer.from(text).toString("base64").replace(/=+$/, "")),
    bytes.toString("latin1"),
  ];
}
