import { type Amount, type DataReport, type Family, REPORT_FIELDS } from "@geolookup/shared/domain/data-report.ts";
import { subdivisionsOf } from "../regions/subdivisions.ts";
import type { Groups } from "./coverage.ts";
import { count, FAMILIES, none } from "./families.ts";
import { type Group, type LookupResult, valueAt } from "./lookup-result.ts";
import type { Texts } from "./texts.ts";

/** Regions without a code that a report lists. */
const LISTED = 50;
const REGION = REPORT_FIELDS.indexOf("region");
const REGION_CODE = REPORT_FIELDS.indexOf("regionCode");

/** Networks without a region code. */
export interface MissingCode {
  country: string;
  /** Its name in the data; null if that has none. */
  region: string | null;
  amount: Amount;
}

/** Counts the networks of one family without a region code, in countries that have codes, by the name of the region. */
export function createMissingCodeCount(texts: Texts) {
  /** By the number of the region's name. Null: the country has no codes. */
  const countries = new Map<Group, Map<number, Amount> | null>();
  return {
    add(result: LookupResult, addresses: number): void {
      if (valueAt(result, REGION_CODE) !== 0) return;
      const { group } = result.place;
      let regions = countries.get(group);
      if (regions === undefined) {
        regions = hasCodes(group.country) ? new Map() : null;
        countries.set(group, regions);
      }
      if (regions === null) return;
      const region = valueAt(result, REGION);
      const amount = regions.get(region) ?? none();
      if (amount[0] === 0) regions.set(region, amount);
      count(amount, addresses);
    },
    result: (): MissingCode[] =>
      [...countries].flatMap(([{ country }, regions]) =>
        Array.from(regions ?? [], ([region, amount]) => ({
          country: country as string,
          region: region === 0 ? null : texts.textOf(region),
          amount,
        })),
      ),
  };
}

/** How many networks have a region code, in countries that have codes, and which regions lack one. */
export function regionCodesOf(
  families: Readonly<Record<Family, { coverage: { countries: Groups }; missingCodes: readonly MissingCode[] }>>,
): DataReport["regionCodes"] {
  const shareOf = (family: Family) => {
    const { coverage, missingCodes } = families[family];
    const coded = coverage.countries.filter(({ name }) => hasCodes(name)).map((country) => country.coverage);
    return {
      total: sumOf(coded.map(({ total }) => total)),
      known: sumOf(coded.map(({ known }) => known.regionCode)),
      unnamed: sumOf(missingCodes.filter(({ region }) => region === null).map(({ amount }) => amount)),
    };
  };
  const missing = new Map<string, DataReport["regionCodes"]["missing"][number]>();
  for (const family of FAMILIES)
    for (const { country, region, amount } of families[family].missingCodes) {
      const key = `${country} ${region ?? ""}`;
      const listed = missing.get(key) ?? { country, region, ipv4: none(), ipv6: none() };
      // A country may be in several groups, by continent.
      listed[family] = sumOf([listed[family], amount]);
      missing.set(key, listed);
    }
  const networks = ({ ipv4, ipv6 }: { ipv4: Amount; ipv6: Amount }) => ipv4[0] + ipv6[0];
  return {
    all: { ipv4: shareOf("ipv4"), ipv6: shareOf("ipv6") },
    missing: [...missing.values()].sort((one, other) => networks(other) - networks(one)).slice(0, LISTED),
  };
}

function hasCodes(country: string | null): boolean {
  return country !== null && subdivisionsOf(country).length > 0;
}

function sumOf(amounts: readonly Amount[]): Amount {
  return amounts.reduce<Amount>((sum, [networks, addresses]) => [sum[0] + networks, sum[1] + addresses], none());
}
