import { formatIpv4, parseIpv4, parseIpv6 } from "@geolookup/shared/domain/ip-words.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";

/** An autonomous system in the field names of GeoLite2 ASN. */
export interface AutonomousSystem {
  readonly autonomous_system_number: number;
  readonly autonomous_system_organization: string;
  readonly [field: string]: number | string;
}

/**
 * Reads lines of the `@ip-location-db/asn` CSV: first address, last address, number, organization.
 * @param file named in errors.
 * @returns a function from a line to its networks, none for a blank line. Equal systems are one object.
 * @throws StartError (from that function) naming file and line for anything else.
 */
export function createAsnReader(
  file: string,
): (line: string) => (readonly [network: string, system: AutonomousSystem])[] {
  const systems = new Map<string, AutonomousSystem>();
  let lineNumber = 0;
  return (line) => {
    lineNumber++;
    if (line === "") return [];
    const fields = splitCsv(line);
    const number = Number(fields?.[2]);
    const range = fields && parseRange(fields[0] ?? "", fields[1] ?? "");
    if (!range || fields.length !== 4 || !Number.isInteger(number) || number < 0 || number > 0xffff_ffff)
      throw new StartError(
        `line ${lineNumber} of ${file} is not "first,last,number,organization"; its package has changed, and this version of geolookup cannot use it`,
      );
    const organization = fields[3] ?? "";
    const key = `${number} ${organization}`;
    const system = systems.get(key) ?? {
      autonomous_system_number: number,
      autonomous_system_organization: organization,
    };
    systems.set(key, system);
    return [...rangeToNetworks(range.first, range.last, range.bits)].map(
      ({ address, prefixLength }) => [`${formatAddress(address, range.bits)}/${prefixLength}`, system] as const,
    );
  };
}

/**
 * The fields of one CSV line (RFC 4180, without line breaks); null when its quotes don't match. csv-parse takes three
 * times as long for these files.
 */
export function splitCsv(line: string): string[] | null {
  if (!line.includes('"')) return line.split(",");
  const fields: string[] = [];
  const field = /(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))(?=,|$)/gy;
  while (field.lastIndex < line.length || fields.length === 0) {
    const match = field.exec(line);
    if (!match) return null;
    fields.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? "");
  }
  return fields;
}

function parseRange(first: string, last: string): { first: bigint; last: bigint; bits: 32 | 128 } | null {
  const isIpv6 = first.includes(":");
  const from = isIpv6 ? ipv6Number(first) : ipv4Number(first);
  const to = isIpv6 ? ipv6Number(last) : ipv4Number(last);
  return from === null || to === null || from > to ? null : { first: from, last: to, bits: isIpv6 ? 128 : 32 };
}

function ipv4Number(text: string): bigint | null {
  const word = parseIpv4(text);
  return word === null ? null : BigInt(word);
}

function ipv6Number(text: string): bigint | null {
  const words = parseIpv6(text);
  return words === null ? null : words.reduce((number, word) => (number << 32n) | BigInt(word), 0n);
}

function formatAddress(address: bigint, bits: 32 | 128): string {
  if (bits === 32) return formatIpv4(Number(address));
  const hex = address.toString(16).padStart(32, "0");
  return (hex.match(/.{4}/g) ?? []).join(":");
}

/**
 * The fewest CIDR networks that make up an inclusive range of addresses.
 * @param first the range's first address as a number; likewise `last`.
 * @param bits 32 or 128.
 * @returns each network's first address and prefix length.
 */
export function* rangeToNetworks(
  first: bigint,
  last: bigint,
  bits: 32 | 128,
): Generator<{ address: bigint; prefixLength: number }> {
  let address = first;
  while (address <= last) {
    let hostBits = 0;
    while (hostBits < bits) {
      const size = 1n << BigInt(hostBits + 1);
      if (address % size !== 0n || address + size - 1n > last) break;
      hostBits++;
    }
    yield { address, prefixLength: bits - hostBits };
    address += 1n << BigInt(hostBits);
  }
}
