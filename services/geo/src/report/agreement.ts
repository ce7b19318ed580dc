import { type Comparison, type PlacesAgreement, REPORT_FIELDS } from "@geolookup/shared/domain/data-report.ts";
import { createDistances, kilometersBetween } from "./distance.ts";
import { count, none } from "./families.ts";
import type { LookupResult, Part } from "./lookup-result.ts";
import type { Texts } from "./texts.ts";

type Compared = Comparison["all"]["ipv4"];

/** How far two sets of databases agree about places, over the networks of one family. */
export interface AgreementCount {
  add(one: LookupResult, other: LookupResult, addresses: number): void;
  result(): { all: Compared; countries: Map<string | null, PlacesAgreement> };
}

const [COUNTRY, REGION, REGION_CODE, CITY] = (["country", "region", "regionCode", "city"] as const).map((name) =>
  REPORT_FIELDS.indexOf(name),
) as [number, number, number, number];

/**
 * Compares places. Regions are the same if their codes are, or, where a code is unknown, their names. Names are compared
 * without case, diacritics and punctuation. A region or city in another country isn't the same.
 */
export function createAgreementCount(texts: Texts): AgreementCount {
  const all = emptyAgreement();
  const countries = new Map<string | null, PlacesAgreement>();
  const distances = createDistances();

  function haveSameName(one: Part, other: Part, index: number): boolean {
    if (areEqual(one, other, index)) return true;
    return texts.plainIdOf(one.values[index] as number) === texts.plainIdOf(other.values[index] as number);
  }

  function isSameRegion(one: Part, other: Part): boolean {
    if (!areEqual(one, other, COUNTRY)) return false;
    return areKnown(one, other, REGION_CODE) ? areEqual(one, other, REGION_CODE) : haveSameName(one, other, REGION);
  }

  function add({ place: one }: LookupResult, { place: other }: LookupResult, addresses: number): void {
    const country = countries.get(one.group.country) ?? emptyAgreement();
    if (country.country.both[0] === 0) countries.set(one.group.country, country);
    if (areKnown(one, other, COUNTRY)) {
      const isSame = areEqual(one, other, COUNTRY);
      record(all.country, isSame, addresses);
      record(country.country, isSame, addresses);
    }
    if (areKnown(one, other, REGION)) {
      const isSame = isSameRegion(one, other);
      record(all.region, isSame, addresses);
      record(country.region, isSame, addresses);
    }
    if (areKnown(one, other, CITY)) {
      const isSame = areEqual(one, other, COUNTRY) && haveSameName(one, other, CITY);
      record(all.city, isSame, addresses);
      record(country.city, isSame, addresses);
    }
    if (!Number.isNaN(one.latitude) && !Number.isNaN(other.latitude))
      distances.add(kilometersBetween(one, other), addresses);
  }

  return {
    add,
    result: () => ({
      all: {
        ...all,
        distance: { both: distances.both(), median: distances.quantile(0.5), p90: distances.quantile(0.9) },
      },
      countries,
    }),
  };
}

function areKnown(one: Part, other: Part, index: number): boolean {
  return one.values[index] !== 0 && other.values[index] !== 0;
}

function areEqual(one: Part, other: Part, index: number): boolean {
  return areKnown(one, other, index) && one.values[index] === other.values[index];
}

function record(agreement: PlacesAgreement["city"], isSame: boolean, addresses: number): void {
  count(agreement.both, addresses);
  if (isSame) count(agreement.same, addresses);
}

/** The agreement about nothing. */
export function emptyAgreement(): PlacesAgreement {
  const empty = () => ({ both: none(), same: none() });
  return { country: empty(), region: empty(), city: empty() };
}
