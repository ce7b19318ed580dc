import { type Amount, type Coverage, type Family, REPORT_FIELDS } from "@geolookup/shared/domain/data-report.ts";
import { count, none } from "./families.ts";
import { type Group, knownFields, type LookupResult } from "./lookup-result.ts";

type FamilyCoverage = Coverage["ipv4"];
export type Groups = { name: string | null; coverage: FamilyCoverage }[];

/** Which fields have values, over the networks of one family. */
export interface CoverageCount {
  add(result: LookupResult, addresses: number): void;
  result(): { all: FamilyCoverage; continents: Groups; countries: Groups };
}

/** Counts networks by country, continent and the set of fields they have: millions of networks, thousands of buckets. */
export function createCoverageCount(): CoverageCount {
  /** By the fields that have values, and completeness. */
  const bucketsOf = new Map<Group, Map<number, Amount>>();
  return {
    add(result, addresses) {
      const { group, isComplete } = result.place;
      const key = knownFields(result) * 2 + Number(isComplete);
      const buckets = bucketsOf.get(group) ?? new Map<number, Amount>();
      if (buckets.size === 0) bucketsOf.set(group, buckets);
      const bucket = buckets.get(key) ?? none();
      if (bucket[0] === 0) buckets.set(key, bucket);
      count(bucket, addresses);
    },
    result() {
      const all = emptyCoverage();
      const continents = new Map<string | null, FamilyCoverage>();
      const countries = new Map<string | null, FamilyCoverage>();
      for (const [{ country, continent }, buckets] of bucketsOf) {
        const coverages = [all, groupOf(continents, continent), groupOf(countries, country)];
        for (const [bits, amount] of buckets) for (const coverage of coverages) addBucket(coverage, bits, amount);
      }
      const list = (groups: typeof continents) => Array.from(groups, ([name, coverage]) => ({ name, coverage }));
      return { all, continents: list(continents), countries: list(countries) };
    },
  };
}

/** Coverage of nothing. */
export function emptyCoverage(): FamilyCoverage {
  const known = Object.fromEntries(REPORT_FIELDS.map((name) => [name, none()])) as FamilyCoverage["known"];
  return { total: none(), complete: none(), known };
}

function groupOf(groups: Map<string | null, FamilyCoverage>, name: string | null): FamilyCoverage {
  const coverage = groups.get(name) ?? emptyCoverage();
  groups.set(name, coverage);
  return coverage;
}

function addBucket(coverage: FamilyCoverage, bits: number, amount: Amount): void {
  addAmount(coverage.total, amount);
  if (bits & 1) addAmount(coverage.complete, amount);
  for (const [index, name] of REPORT_FIELDS.entries())
    if ((bits >>> (index + 1)) & 1) addAmount(coverage.known[name] as Amount, amount);
}

function addAmount(sum: Amount, [networks, addresses]: Amount): void {
  sum[0] += networks;
  sum[1] += addresses;
}

/** Puts both families' groups together, largest first. */
export function joinFamilies(groups: Readonly<Record<Family, Groups>>): (Coverage & { name: string | null })[] {
  const names = new Set([...groups.ipv4, ...groups.ipv6].map(({ name }) => name));
  const find = (family: Family, name: string | null) =>
    groups[family].find((group) => group.name === name)?.coverage ?? emptyCoverage();
  return [...names]
    .map((name) => ({ name, ipv4: find("ipv4", name), ipv6: find("ipv6", name) }))
    .sort(
      (one, other) => other.ipv4.total[1] - one.ipv4.total[1] || String(one.name).localeCompare(String(other.name)),
    );
}
