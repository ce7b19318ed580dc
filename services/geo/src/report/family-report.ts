import {
  type Amount,
  type Changes,
  type Coverage,
  type Family,
  REPORT_FIELDS,
} from "@geolookup/shared/domain/data-report.ts";
import type { WholeDatabase } from "../databases/database.ts";
import { type AgreementCount, createAgreementCount } from "./agreement.ts";
import { createCoverageCount, type Groups } from "./coverage.ts";
import { addressesIn, BITS, count, databasesFor, none, treeFor } from "./families.ts";
import { walkJointly } from "./joint-walk.ts";
import { createRecordLookup, type LookupResult, valueAt } from "./lookup-result.ts";
import { NON_PUBLIC } from "./public-space.ts";
import { createMissingCodeCount, type MissingCode } from "./region-codes.ts";
import { createTexts, type Texts } from "./texts.ts";

/** The part of a report that is about one family. Plain data, so that a thread can post it. */
export interface FamilyReport {
  /** The size of the public address space, in the family's unit. */
  space: number;
  coverage: { all: Coverage["ipv4"]; continents: Groups; countries: Groups };
  missingCodes: MissingCode[];
  comparison: ReturnType<AgreementCount["result"]> | null;
  changes: Changes["all"]["ipv4"] | null;
}

/** What a report is about. Each list is in priority order. */
export interface ReportedSets<Item> {
  /** In use. */
  loaded: readonly Item[];
  /** To compare places with. */
  compared?: readonly Item[] | undefined;
  /** Of an older installed version. */
  before?: readonly Item[] | undefined;
}

/**
 * Reports on one family. Takes seconds, and blocks the thread.
 * @throws MmdbError if a database can't be reported on within the bounds on time and memory.
 */
export function reportOnFamily(
  family: Family,
  { loaded, compared, before }: ReportedSets<WholeDatabase>,
): FamilyReport {
  const texts = createTexts();
  const side = sideOf(family, loaded, texts);
  return {
    space: spaceOf(family),
    ...cover(family, side, texts),
    comparison: compared ? compare(family, side, sideOf(family, compared, texts), texts) : null,
    changes: before ? changesOf(family, sideOf(family, before, texts), side) : null,
  };
}

/** Databases in priority order, and what callers get of them. */
type Side = ReturnType<typeof sideOf>;

function sideOf(family: Family, all: readonly WholeDatabase[], texts: Texts) {
  const databases = databasesFor(family, all);
  return {
    trees: databases.map((database) => treeFor(family, database)),
    resultAt: createRecordLookup(databases, texts),
  };
}

function spaceOf(family: Family): number {
  let addresses = 0;
  walkJointly(BITS[family], NON_PUBLIC[family], [], (_, prefixLength) => {
    addresses += addressesIn(family, prefixLength);
  });
  return addresses;
}

function cover(
  family: Family,
  { trees, resultAt }: Side,
  texts: Texts,
): Pick<FamilyReport, "coverage" | "missingCodes"> {
  const counts = createCoverageCount();
  const missingCodes = createMissingCodeCount(texts);
  walkJointly(BITS[family], NON_PUBLIC[family], trees, (records, prefixLength) => {
    const result = resultAt(records, 0);
    if (result === null) return;
    const addresses = addressesIn(family, prefixLength);
    counts.add(result, addresses);
    missingCodes.add(result, addresses);
  });
  return { coverage: counts.result(), missingCodes: missingCodes.result() };
}

function compare(family: Family, side: Side, other: Side, texts: Texts): ReturnType<AgreementCount["result"]> {
  const { trees, resultAt } = side;
  const counts = createAgreementCount(texts);
  walkJointly(BITS[family], NON_PUBLIC[family], [...trees, ...other.trees], (records, prefixLength) => {
    const one = resultAt(records, 0);
    if (one === null) return;
    const another = other.resultAt(records, trees.length);
    if (another !== null) counts.add(one, another, addressesIn(family, prefixLength));
  });
  return counts.result();
}

function changesOf(family: Family, old: Side, current: Side): Changes["all"]["ipv4"] {
  const counts = createChangeCount();
  walkJointly(BITS[family], NON_PUBLIC[family], [...old.trees, ...current.trees], (records, prefixLength) => {
    const was = old.resultAt(records, 0);
    const is = current.resultAt(records, old.trees.length);
    if (was !== null || is !== null) counts.add(was, is, addressesIn(family, prefixLength));
  });
  return counts.result();
}

/** Counts what changed from older to newer data, over the networks of one family. */
function createChangeCount() {
  const total = none();
  const changed = none();
  const fields = REPORT_FIELDS.map((): Amount => none());
  return {
    /** Null: nothing known. */
    add(before: LookupResult | null, after: LookupResult | null, addresses: number): void {
      count(total, addresses);
      let isChanged = false;
      for (let index = 0; index < fields.length; index++) {
        const was = before === null ? 0 : valueAt(before, index);
        const is = after === null ? 0 : valueAt(after, index);
        if (was === is) continue;
        isChanged = true;
        count(fields[index] as Amount, addresses);
      }
      if (isChanged) count(changed, addresses);
    },
    result: (): Changes["all"]["ipv4"] => ({
      total,
      changed,
      fields: Object.fromEntries(REPORT_FIELDS.map((name, index) => [name, fields[index]])) as Record<
        (typeof REPORT_FIELDS)[number],
        Amount
      >,
    }),
  };
}
