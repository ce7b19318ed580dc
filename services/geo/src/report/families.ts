import { type Amount, type Family, IPV6_UNIT } from "@geolookup/shared/domain/data-report.ts";
import type { WholeDatabase } from "../databases/database.ts";
import { ipv4RootOf } from "../mmdb/read-record.ts";
import type { JointTree } from "./joint-walk.ts";

export const FAMILIES = ["ipv4", "ipv6"] as const satisfies readonly Family[];

export const BITS = { ipv4: 32, ipv6: 128 } as const;
/** The prefix length of what is counted: an IPv4 address, and an IPv6 network of /48. */
const UNIT: Readonly<Record<Family, number>> = { ipv4: 32, ipv6: IPV6_UNIT };

/** How many addresses a network has, in the family's unit. */
export function addressesIn(family: Family, prefixLength: number): number {
  return 2 ** (UNIT[family] - prefixLength);
}

/** The databases for a family, as lookups choose them. */
export function databasesFor<Item extends Pick<WholeDatabase, "hasIpv4" | "hasIpv6">>(
  family: Family,
  databases: readonly Item[],
): Item[] {
  return databases.filter((database) => (family === "ipv4" ? database.hasIpv4 : database.hasIpv6));
}

/** The part of a database's tree that has a family's addresses. */
export function treeFor(family: Family, { tree: { bytes, metadata } }: WholeDatabase): JointTree {
  const { recordSize, nodeCount, ipVersion } = metadata;
  const root = family === "ipv4" && ipVersion === 6 ? ipv4RootOf(bytes, metadata) : 0;
  return { bytes, recordSize, nodeCount, root };
}

/** Adds a network. */
export function count(amount: Amount, addresses: number): void {
  amount[0] += 1;
  amount[1] += addresses;
}

export const none = (): Amount => [0, 0];
