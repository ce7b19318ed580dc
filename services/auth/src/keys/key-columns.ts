import { keyPrefix } from "@geolookup/shared/domain/key-shape.ts";
import type { AuthorizationData, IssuedKey } from "./key.ts";

const NO_ORIGINS: readonly string[] = Object.freeze([]);
/** Separates a label and its origins. A label that contains it is stored separately. */
const SEPARATOR = "\n";
const INITIAL_CAPACITY = 256;
const SECRET = 1;
const REVOKED = 2;
const MAY_FORWARD = 4;
/** The key has no origins, so authorizing it doesn't read its text. Rows stored by older versions lack this flag. */
const WITHOUT_ORIGINS = 8;
/** The display form of a key shows its last four characters. */
const TAIL_LENGTH = 4;

/** Keys by row number, in the order in which they were added. The caller stores their IDs. */
export interface KeyColumns {
  /** @returns the key's row: 0, 1, 2… */
  add(key: IssuedKey): number;
  replace(row: number, key: IssuedKey): void;
  get(row: number, keyId: string): IssuedKey;
  /** Only the part of a key that every request needs. */
  authorizationData(row: number, keyId: string): AuthorizationData;
  /** Only the text that an order compares, which is much faster than the whole key. */
  sortText(row: number, keyId: string, order: KeyOrder): string;
  /** The rows as they are now, for storage. Later changes don't affect them. */
  copy(): StoredColumns;
  /** Adds stored rows. @param planNames of the columns that they were copied from. */
  addStored(rows: StoredRows, planNames: readonly string[]): void;
}

/** A copy of all rows, which can be read in parts. */
export interface StoredColumns {
  /** The plans that rows refer to by index. */
  planNames: readonly string[];
  rows(from: number, to: number): StoredRows;
}

/** Rows as JSON: an array for each column, and the values that columns can't represent, each with its row's index. */
export interface StoredRows {
  texts: string[];
  numbers: Record<keyof NumberColumns, number[]>;
  rest: [index: number, values: Partial<IssuedKey>][];
}

/** What keys can be sorted by, besides the order of issue. A key without a label is sorted by its ID. */
export type KeyOrder = "label" | "kind" | "plan" | "status";

/**
 * Stores keys in columns instead of objects, because a million of them stay in memory: numbers and enums take 21 bytes per
 * key, and the texts are one string. Values that few keys have are stored separately.
 */
export function createKeyColumns(): KeyColumns {
  /** The label and the origins. */
  const texts: string[] = [];
  /** Revocations and values of unusual form, by row. */
  const rest = new Map<number, Partial<IssuedKey>>();
  const planNames: string[] = [];
  const planNumbers = new Map<string, number>();
  let numbers = numberColumns(INITIAL_CAPACITY);

  const planNumber = (plan: string) => {
    const known = planNumbers.get(plan);
    if (known !== undefined) return known;
    planNumbers.set(plan, planNames.length);
    return planNames.push(plan) - 1;
  };

  const replace = (row: number, key: IssuedKey) => {
    texts[row] = key.origins.length === 0 ? key.label : [key.label, ...key.origins].join(SEPARATOR);
    numbers.flags[row] =
      (key.kind === "secret" ? SECRET : 0) |
      (key.status === "revoked" ? REVOKED : 0) |
      (key.mayForward ? MAY_FORWARD : 0) |
      (key.origins.length === 0 ? WITHOUT_ORIGINS : 0);
    numbers.plans[row] = planNumber(key.plan);
    numbers.versions[row] = key.version;
    numbers.createdAtMs[row] = Date.parse(key.createdAt);
    numbers.tails[row] = tailNumber(key.display);
    rest.delete(row);
    const unusual = difference(key, get(row, key.keyId));
    if (unusual) rest.set(row, unusual);
  };

  const authorizationData = (row: number, keyId: string): AuthorizationData => {
    const flags = numbers.flags[row] ?? 0;
    const kind = flags & SECRET ? "secret" : "publishable";
    const unusual = rest.get(row);
    const data: AuthorizationData = {
      status: flags & REVOKED ? "revoked" : "active",
      keyId,
      kind,
      plan: planNames[numbers.plans[row] ?? 0] ?? "",
      origins: flags & WITHOUT_ORIGINS ? NO_ORIGINS : (unusual?.origins ?? originsIn(texts[row] ?? "")),
      display: unusual?.display ?? `${keyPrefix(kind)}…${tailText(numbers.tails[row] ?? 0)}`,
    };
    if (flags & MAY_FORWARD) data.mayForward = true;
    return data;
  };

  const get = (row: number, keyId: string): IssuedKey => {
    const key: IssuedKey = {
      ...authorizationData(row, keyId),
      label: labelIn(texts[row] ?? ""),
      version: numbers.versions[row] ?? 0,
      createdAt: timeText(numbers.createdAtMs[row] ?? 0),
    };
    const unusual = rest.get(row);
    return unusual ? { ...key, ...unusual } : key;
  };

  return {
    add: (key) => {
      const row = texts.length;
      if (row >= numbers.versions.length) numbers = grown(numbers);
      replace(row, key);
      return row;
    },
    replace,
    get,
    authorizationData,
    copy: () => copyColumns({ texts, rest, planNames, numbers }),
    addStored: (rows, names) => {
      const start = texts.length;
      while (start + rows.texts.length > numbers.versions.length) numbers = grown(numbers);
      for (const text of rows.texts) texts.push(text);
      const { flags, plans, versions, createdAtMs, tails } = rows.numbers;
      numbers.flags.set(flags, start);
      numbers.plans.set(
        plans.map((number) => planNumber(names[number] ?? "")),
        start,
      );
      numbers.versions.set(versions, start);
      // JSON has no NaN, which stands for an invalid time: it becomes null.
      numbers.createdAtMs.set(
        createdAtMs.map((timeMs) => timeMs ?? Number.NaN),
        start,
      );
      numbers.tails.set(tails, start);
      for (const [index, values] of rows.rest) rest.set(start + index, values);
    },
    sortText: (row, keyId, order) => {
      const flags = numbers.flags[row] ?? 0;
      switch (order) {
        case "label":
          return (rest.get(row)?.label ?? labelIn(texts[row] ?? "")) || keyId;
        case "kind":
          return flags & SECRET ? "secret" : "publishable";
        case "plan":
          return planNames[numbers.plans[row] ?? 0] ?? "";
        case "status":
          return flags & REVOKED ? "revoked" : "active";
      }
    },
  };
}

type NumberColumns = ReturnType<typeof numberColumns>;

function numberColumns(capacity: number) {
  return {
    flags: new Uint8Array(capacity),
    plans: new Uint32Array(capacity),
    versions: new Uint32Array(capacity),
    createdAtMs: new Float64Array(capacity),
    tails: new Uint32Array(capacity),
  };
}

function grown(columns: NumberColumns): NumberColumns {
  const larger = numberColumns(2 * columns.versions.length);
  for (const name of Object.keys(larger) as (keyof NumberColumns)[]) larger[name].set(columns[name]);
  return larger;
}

function copyColumns(columns: {
  texts: readonly string[];
  rest: ReadonlyMap<number, Partial<IssuedKey>>;
  planNames: readonly string[];
  numbers: NumberColumns;
}): StoredColumns {
  const texts = columns.texts.slice();
  const rest = new Map(columns.rest);
  const numbers = structuredClone(columns.numbers);
  return {
    planNames: columns.planNames.slice(),
    rows: (from, to) => ({
      texts: texts.slice(from, to),
      numbers: {
        flags: [...numbers.flags.subarray(from, to)],
        plans: [...numbers.plans.subarray(from, to)],
        versions: [...numbers.versions.subarray(from, to)],
        createdAtMs: [...numbers.createdAtMs.subarray(from, to)],
        tails: [...numbers.tails.subarray(from, to)],
      },
      rest: restOf(rest, from, to),
    }),
  };
}

function restOf(rest: ReadonlyMap<number, Partial<IssuedKey>>, from: number, to: number): StoredRows["rest"] {
  const stored: StoredRows["rest"] = [];
  for (let row = from; row < to; row++) {
    const values = rest.get(row);
    if (values) stored.push([row - from, values]);
  }
  return stored;
}

/** The values of a key that its columns can't represent; undefined if there are none. */
function difference(key: IssuedKey, stored: IssuedKey): Partial<IssuedKey> | undefined {
  let unusual: Partial<IssuedKey> | undefined;
  if (key.label !== stored.label) unusual = { label: key.label, origins: key.origins };
  if (key.display !== stored.display) unusual = { ...unusual, display: key.display };
  if (key.createdAt !== stored.createdAt) unusual = { ...unusual, createdAt: key.createdAt };
  if (key.revokedAt !== undefined) unusual = { ...unusual, revokedAt: key.revokedAt };
  if (key.revokedReason !== undefined) unusual = { ...unusual, revokedReason: key.revokedReason };
  return unusual;
}

function labelIn(text: string): string {
  const end = text.indexOf(SEPARATOR);
  return end === -1 ? text : text.slice(0, end);
}

function originsIn(text: string): readonly string[] {
  const end = text.indexOf(SEPARATOR);
  return end === -1 ? NO_ORIGINS : text.slice(end + 1).split(SEPARATOR);
}

/** The last four characters of a text, as a number. */
function tailNumber(text: string): number {
  let number = 0;
  for (let i = text.length - TAIL_LENGTH; i < text.length; i++) number = (number << 8) | (text.charCodeAt(i) & 0xff);
  return number;
}

function tailText(number: number): string {
  return String.fromCharCode((number >>> 24) & 0xff, (number >>> 16) & 0xff, (number >>> 8) & 0xff, number & 0xff);
}

/** RFC 3339, UTC; empty for an invalid time. */
function timeText(timeMs: number): string {
  return Number.isNaN(timeMs) ? "" : new Date(timeMs).toISOString();
}
