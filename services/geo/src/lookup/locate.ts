import type { Located, LocateReason } from "@geolookup/shared/domain/locate.ts";
import { NETWORK_PREFIXES } from "@geolookup/shared/domain/locate.ts";
import { type Place, UNKNOWN_PLACE } from "@geolookup/shared/domain/record.ts";
import { recordText, UNKNOWN_TEXT } from "@geolookup/shared/domain/record-text.ts";
import type { Database } from "../databases/database.ts";
import { correctPlace } from "../geofeed/correct-place.ts";
import type { Correction } from "../geofeed/correction.ts";
import type { Geofeed } from "../geofeed/geofeed.ts";
import { addressToLookUp } from "../mmdb/address.ts";
import { mergeFindings, mergeTexts } from "../places/merge.ts";
import type { Found } from "../schema/finding.ts";

/** What was found about an address, field by field. */
export interface LocatedPlace {
  /** Shared between results: never mutate. */
  place: Readonly<Place>;
  reason: LocateReason;
}

/** Looks up canonical addresses. Never throws. */
export interface Locate {
  /** The record, ready to be sent: the hot path. */
  record(ip: string): Located;
  /** The same field by field. */
  place(ip: string): LocatedPlace;
  /**
   * The prefix length (NETWORK_PREFIXES) of the largest network that contains the address and has one result for all its addresses. 0 if
   * there is none, if the address isn't public, or if it is an IPv6 address that embeds an IPv4 address: that one is in another network.
   */
  prefixLength(ip: string): number;
}

type Nothing = Exclude<LocateReason, "found" | "unreachable">;
const NOTHING = {
  non_public: Object.freeze({ record: UNKNOWN_TEXT, reason: "non_public" }),
  not_found: Object.freeze({ record: UNKNOWN_TEXT, reason: "not_found" }),
  failed: Object.freeze({ record: UNKNOWN_TEXT, reason: "failed" }),
} satisfies Record<Nothing, Located>;

/**
 * Builds the lookup over databases in priority order.
 * @param onFailure called for each lookup that threw, without the address.
 * @param geofeed the operator's corrections, if there are any.
 */
export function createLocate(
  databases: readonly Database[],
  onFailure: (database: Database, error: unknown) => void,
  geofeed?: Geofeed,
): Locate {
  const corrections = geofeed === undefined || geofeed.prefixes === 0 ? null : geofeed;
  const forIpv4 = databases.filter(({ hasIpv4 }) => hasIpv4);
  const forIpv6 = databases.filter(({ hasIpv6 }) => hasIpv6);

  /** What the sources say about an address, or why there is nothing. */
  const lookUp = (ip: string): { all: readonly Found[]; correction: Correction | null } | Nothing => {
    const address = addressToLookUp(ip);
    if (address === null) return "non_public";
    const all: Found[] = [];
    let failed = false;
    for (const database of typeof address === "number" ? forIpv4 : forIpv6) {
      try {
        const found = database.find(address);
        if (found !== null) all.push(found);
      } catch (error) {
        failed = true;
        onFailure(database, error);
      }
    }
    const correction = corrections === null ? null : corrections.find(address);
    if (all.length > 0 || correction !== null) return { all, correction };
    return failed ? "failed" : "not_found";
  };

  return {
    record: (ip) => {
      const looked = lookUp(ip);
      if (typeof looked === "string") return NOTHING[looked];
      const { all, correction } = looked;
      const record = correction === null ? mergeTexts(all) : recordText(placeOf(all, correction));
      return { record, reason: "found" };
    },
    place: (ip) => {
      const looked = lookUp(ip);
      if (typeof looked === "string") return { place: UNKNOWN_PLACE, reason: looked };
      return { place: placeOf(looked.all, looked.correction), reason: "found" };
    },
    prefixLength: (ip) => {
      const address = addressToLookUp(ip);
      const isIpv4 = typeof address === "number";
      if (address === null || isIpv4 !== !ip.includes(":")) return 0;
      const covers = (prefixLength: number) =>
        (isIpv4 ? forIpv4 : forIpv6).every((source) => source.coversNetwork(address, prefixLength)) &&
        (corrections?.coversNetwork(address, prefixLength) ?? true);
      return (isIpv4 ? NETWORK_PREFIXES.ipv4 : NETWORK_PREFIXES.ipv6).find(covers) ?? 0;
    },
  };
}

function placeOf(all: readonly Found[], correction: Correction | null): Place {
  const place = mergeFindings(all.map(({ finding }) => finding));
  return correction === null ? place : correctPlace(place, correction);
}
