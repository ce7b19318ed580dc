import { REPORT_FIELDS } from "@geolookup/shared/domain/data-report.ts";
import { isPartial } from "@geolookup/shared/domain/partial.ts";
import { NETWORK_FIELDS, type Place, UNKNOWN_PLACE } from "@geolookup/shared/domain/record.ts";
import type { WholeDatabase } from "../databases/database.ts";
import { MmdbError } from "../mmdb/error.ts";
import { mergeFindings } from "../places/merge.ts";
import type { Texts } from "./texts.ts";

/** Records that are held in memory. Vendors' files have up to a tenth of it. */
const MAX_RECORDS = 16_000_000;

const OF_NETWORK: ReadonlySet<string> = new Set(NETWORK_FIELDS);
/** A bit for each field of a network, in the order of REPORT_FIELDS. */
const NETWORK_BITS = REPORT_FIELDS.reduce((bits, name, index) => bits | (OF_NETWORK.has(name) ? 1 << index : 0), 0);

/** Where a place is. One object for each combination. */
export interface Group {
  country: string | null;
  continent: string | null;
}

/** What one record, or several together, say. */
export interface Part {
  /** The number of each value, in the order of REPORT_FIELDS; 0 for null. */
  values: readonly number[];
  /** A bit for each field that has a value. */
  known: number;
  isComplete: boolean;
  group: Group;
  /** Degrees; NaN if unknown. */
  latitude: number;
  longitude: number;
}

/** What callers get: the place of one part, and the network of the same or another part. */
export interface LookupResult {
  place: Part;
  network: Part;
}

interface Entry {
  part: Part;
  isPlaced: boolean;
  hasNumber: boolean;
}

/** A bit for each field that has a value, in the order of REPORT_FIELDS. */
export function knownFields({ place, network }: LookupResult): number {
  return (place.known & ~NETWORK_BITS) | (network.known & NETWORK_BITS);
}

/** The number of a field's value; 0 for null. @param index in REPORT_FIELDS. */
export function valueAt({ place, network }: LookupResult, index: number): number {
  return ((NETWORK_BITS >>> index) & 1 ? network : place).values[index] as number;
}

/**
 * Finds what callers get for given records of databases, as lookups do: by `mergeFindings`, once for each record,
 * or for each combination of records in which databases add to each other's places.
 * @param databases in priority order; all of them for the family of the network.
 * @returns a function of a network's records, those of these databases from `first` on; null if nothing is known. Its
 * next call reuses the object that it returns.
 */
export function createRecordLookup(databases: readonly WholeDatabase[], texts: Texts) {
  const nodeCounts = databases.map(({ tree }) => tree.metadata.nodeCount);
  const entries = databases.map(() => new Map<number, Entry | null>());
  const merged = new Map<string, Part>();
  const groups = new Map<string, Group>();
  const nothing = describe(UNKNOWN_PLACE);
  const result: LookupResult = { place: nothing, network: nothing };
  let held = 0;

  function hold(): void {
    held += 1;
    if (held > MAX_RECORDS) throw new MmdbError(`it has more than ${MAX_RECORDS} different records`);
  }

  function entryAt(index: number, record: number): Entry | null {
    if (record <= (nodeCounts[index] as number)) return null;
    const known = entries[index]?.get(record);
    if (known !== undefined) return known;
    hold();
    const found = (databases[index] as WholeDatabase).tree.read(record);
    const entry = found && {
      part: describe(mergeFindings([found.finding])),
      isPlaced: found.placed,
      hasNumber: found.finding.asn !== null,
    };
    entries[index]?.set(record, entry);
    return entry;
  }

  function describe(place: Place): Part {
    const { country, continent } = place;
    const latitude = place.latitude === null ? Number.NaN : Number(place.latitude);
    const longitude = place.longitude === null ? Number.NaN : Number(place.longitude);
    const values = REPORT_FIELDS.map((name) => {
      if (name === "latitude") return stepOf(latitude, 90);
      if (name === "longitude") return stepOf(longitude, 180);
      return texts.idOf(place[name]);
    });
    const key = `${country} ${continent}`;
    const group = groups.get(key) ?? { country, continent };
    groups.set(key, group);
    return {
      values,
      known: values.reduce((bits, value, index) => (value === 0 ? bits : bits | (1 << index)), 0),
      isComplete: !isPartial(place, "paid"),
      group,
      latitude,
      longitude,
    };
  }

  /** What several databases say together. @param members their places among the databases. */
  function merge(members: readonly number[], records: Uint32Array, first: number): Part {
    const key = members.map((index) => `${index}:${records[first + index]}`).join();
    const known = merged.get(key);
    if (known !== undefined) return known;
    hold();
    const found = members.map((index) => databases[index]?.tree.read(records[first + index] as number) ?? null);
    const part = describe(mergeFindings(found.filter((one) => one !== null).map(({ finding }) => finding)));
    merged.set(key, part);
    return part;
  }

  /** Merges those of the databases whose entry at a network fulfills a condition. */
  function mergeWhere(condition: (entry: Entry) => boolean, records: Uint32Array, first: number): Part {
    const isMember = (index: number) => {
      const entry = entryAt(index, records[first + index] as number);
      return entry !== null && condition(entry);
    };
    return merge([...databases.keys()].filter(isMember), records, first);
  }

  return (records: Uint32Array, first: number): LookupResult | null => {
    let places = 0;
    let networks = 0;
    let isKnown = false;
    result.place = nothing;
    result.network = nothing;
    for (let index = 0; index < databases.length; index++) {
      const entry = entryAt(index, records[first + index] as number);
      if (entry === null) continue;
      isKnown = true;
      if (entry.isPlaced) {
        places += 1;
        result.place = entry.part;
      }
      if (entry.hasNumber) {
        networks += 1;
        result.network = entry.part;
      }
    }
    // A finding without a place doesn't affect the place, nor one without a number the network.
    if (places > 1) result.place = mergeWhere(({ isPlaced }) => isPlaced, records, first);
    if (networks > 1) result.network = mergeWhere(({ hasNumber }) => hasNumber, records, first);
    return isKnown ? result : null;
  };
}

/** Degrees of at most 4 places as a whole number from 1; 0 if unknown. Most coordinates differ: numbering texts costs more. */
function stepOf(degrees: number, limit: number): number {
  return Number.isNaN(degrees) ? 0 : Math.round((degrees + limit) * 10_000) + 1;
}
