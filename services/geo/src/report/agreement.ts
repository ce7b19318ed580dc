import { type Comparison, type PlacesAgreement, REPORT_FIELDS } from "@geolookup/shared/domain/data-report.ts";
import type { Answer } from "./answers.ts";
import { createDistances, kilometersBetween } from "./distance.ts";
import { count, none } from "./families.ts";
import type { Texts } from "./texts.ts";

type Compared = Comparison["all"]["ipv4"];

/** How far two sets of databases agree about places, over the networks of one family. */
export interface AgreementCount {
  add(one: Answer, other: Answer, addresses: number): void;
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

  function add({ place: one }: Answer, { place: other }: Answer, addresses: number): void {
    const country = countries.get(one.group.country) ?? emptyAgreement();
    countries.set(one.group.country, country);
    const value = (index: number) => one.values[index] as number;
    const otherValue = (index: number) => other.values[index] as number;
    const areKnown = (index: number) => value(index) !== 0 && otherValue(index) !== 0;
    const areEqual = (index: number) => value(index) === otherValue(index);
    const haveSameName = (index: number) =>
      areEqual(index) || texts.plainIdOf(value(index)) === texts.plainIdOf(otherValue(index));
    const isSameCountry = areKnown(COUNTRY) && areEqual(COUNTRY);
    for (const agreement of [all, country]) {
      if (areKnown(COUNTRY)) record(agreement.country, isSameCountry, addresses);
      if (areKnown(REGION)) {
        const isSame = areKnown(REGION_CODE) ? areEqual(REGION_CODE) : haveSameName(REGION);
        record(agreement.region, isSameCountry && isSame, addresses);
      }
      if (areKnown(CITY)) record(agreement.city, isSameCountry && haveSameName(CITY), addresses);
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

function record(agreement: PlacesAgreement["city"], isSame: boolean, addresses: number): void {
  count(agreement.both, addresses);
  if (isSame) count(agreement.same, addresses);
}

/** The agreement about nothing. */
export function emptyAgreement(): PlacesAgreement {
  const empty = () => ({ both: none(), same: none() });
  return { country: empty(), region: empty(), city: empty() };
}
