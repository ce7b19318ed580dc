/** The time zones of a database's records, in 5 bytes each. */
export interface TimezoneTable {
  /** IANA names. */
  readonly names: readonly string[];
  /** Records of the search tree, ascending. Records whose time zone isn't computed are missing. */
  readonly records: Uint32Array<ArrayBuffer>;
  /** For each record, the index of its zone's name. */
  readonly indexes: Uint8Array<ArrayBuffer>;
}

export const EMPTY_TABLE: TimezoneTable = { names: [], records: new Uint32Array(), indexes: new Uint8Array() };

/** Stands for no zone, and thus also the maximum number of names. Countries with several zones have about 200 together. */
export const NO_INDEX = 255;
/** So that tables take at most 20 MB. DB-IP's two city files have 430,000. */
export const MAX_RECORDS = 4_000_000;

/** The time zone of a record; null if the table doesn't have it. */
export function timezoneOfRecord({ names, records, indexes }: TimezoneTable, record: number): string | null {
  let low = 0;
  let high = records.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((records[middle] as number) < record) low = middle + 1;
    else high = middle;
  }
  return records[low] === record ? (names[indexes[low] as number] ?? null) : null;
}
