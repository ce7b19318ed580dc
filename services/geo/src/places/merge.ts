import { fieldsOf, NETWORK_FIELDS, type Place, pickFields, UNKNOWN_PLACE } from "@geolookup/shared/domain/record.ts";
import {
  joinText,
  type NetworkText,
  networkText,
  type PlaceText,
  placeText,
  type RecordText,
  recordText,
} from "@geolookup/shared/domain/record-text.ts";
import { countryOf } from "../countries/country-table.ts";
import { regionCodeOf } from "../regions/region-code.ts";
import type { Finding, Found } from "../schema/finding.ts";
import { recognizeZone } from "../timezones/country-zones.ts";
import { nearestZone } from "../timezones/nearest-zone.ts";
import { zoneOfRegion } from "../timezones/region-zones.ts";

const OF_PLACE = fieldsOf("place");
const NO_COUNTRY = pickFields(UNKNOWN_PLACE, fieldsOf("country"));

/**
 * Combines what the databases say into one place, in their order: a field comes from the first database
 * that has it, but never mixes two places.
 * - The country is the first one found. Fields of a place (region, city, coordinates, …) come only
 *   from databases that say that country; while no country is known at all, from any.
 * - Region and region code, and latitude and longitude, come from the same database.
 * - The name of an autonomous system comes only with the same number.
 * Then the rest follows: region code from the region's name, time zone from country and coordinates, and
 * what a country implies from the country table. Vendors' names and continent go before the table's.
 */
export function mergeFindings(findings: readonly Finding[]): Place {
  const country = firstOf(findings, "country");
  const details = country === null ? undefined : countryOf(country);
  const placed = findings.every((finding) => finding.country === country)
    ? findings
    : findings.filter((finding) => finding.country === country);
  const regional = placed.find(({ region, regionCode }) => region !== null || regionCode !== null);
  const region = regional?.region ?? null;
  const located = placed.find(({ latitude }) => latitude !== null);
  const latitude = located?.latitude ?? null;
  const longitude = located?.longitude ?? null;
  const place = firstOfEach(placed, OF_PLACE);
  const regionCode =
    regional?.regionCode ??
    (country !== null && region !== null
      ? regionCodeOf(country, region, { city: place.city, latitude, longitude })
      : null);
  return {
    ...place,
    ...(details ?? NO_COUNTRY),
    country,
    countryName: country === null ? null : (place.countryName ?? details?.countryName ?? null),
    continent: place.continent ?? details?.continent ?? null,
    region,
    regionCode,
    timezone: placeTimezone(country, placed, located, regionCode),
    latitude: latitude === null ? null : formatDegrees(latitude),
    longitude: longitude === null ? null : formatDegrees(longitude),
    metroCode: country === "US" ? place.metroCode : null,
    ...mergeNetwork(findings),
  };
}

function mergeNetwork(findings: readonly Finding[]) {
  const asn = firstOf(findings, "asn");
  const ofNetwork = asn === null ? [] : findings.filter((finding) => finding.asn === asn);
  return firstOfEach(ofNetwork, NETWORK_FIELDS);
}

/**
 * The text of what `mergeFindings` makes, for the hot path: the place of one database, which is the rule, is made once
 * per record, and so is the network of another.
 */
export function mergeTexts(all: readonly Found[]): RecordText {
  let placed: Found | undefined;
  let named: Found | undefined;
  for (const one of all) {
    if (one.placed) {
      if (placed !== undefined) return mergeSeveral(all);
      placed = one;
    }
    const { asn } = one.finding;
    if (asn === null) continue;
    if (named === undefined || (named.finding.asOrganization === null && named.finding.asn === asn)) named = one;
  }
  const network = named === undefined ? NO_NETWORK : networkTextOf(named);
  return joinText(placed === undefined ? NO_PLACE : placeTextOf(placed), network);
}

function mergeSeveral(all: readonly Found[]): RecordText {
  const place = mergeFindings(all.map(({ finding }) => finding));
  const inCountry = all.filter(({ placed, finding }) => placed && finding.country === place.country);
  const located = inCountry.find(({ finding }) => finding.latitude !== null) ?? inCountry[0];
  return recordText(place, located === undefined ? "" : accuracyOf(located));
}

/** How accurate a location is and how old its data are, where the database says so: "radius=20; anycast; built=2026-11-01". */
function accuracyOf({ finding: { accuracyKm, isAnycast }, buildUnixSeconds }: Found): string {
  const built = buildUnixSeconds > 0 ? new Date(buildUnixSeconds * 1_000).toISOString().slice(0, 10) : null;
  const parts = [accuracyKm && `radius=${accuracyKm}`, isAnycast && "anycast", built && `built=${built}`];
  return parts.filter(Boolean).join("; ");
}

const NO_PLACE = placeText(UNKNOWN_PLACE);
const NO_NETWORK = networkText(UNKNOWN_PLACE);

function placeTextOf(found: Found): PlaceText {
  found.placeText ??= placeText(mergeFindings([found.finding]), accuracyOf(found));
  return found.placeText;
}

function networkTextOf(found: Found): NetworkText {
  found.networkText ??= networkText(found.finding);
  return found.networkText;
}

function firstOf<Field extends keyof Finding>(findings: readonly Finding[], field: Field): Finding[Field] {
  for (const finding of findings) if (finding[field] !== null) return finding[field];
  return null as Finding[Field];
}

function firstOfEach<Field extends keyof Finding>(
  findings: readonly Finding[],
  fields: readonly Field[],
): Pick<Finding, Field> {
  const first: Partial<Pick<Finding, Field>> = {};
  for (const field of fields) first[field] = firstOf(findings, field);
  return first as Pick<Finding, Field>;
}

/** Degrees as a plain decimal of at most 4 places, never an exponent, never "-0". */
export function formatDegrees(degrees: number): string {
  const trimmed = degrees.toFixed(4).replace(/\.?0+$/, "");
  return trimmed === "-0" ? "0" : trimmed;
}

/**
 * The IANA time zone of a place: what a vendor states, else the one nearest to the coordinates. If the country is known, it
 * is always one of its zones: where the coordinates contradict it, the region's.
 * @param placed findings in that country.
 * @param located the one whose coordinates apply.
 * @param regionCode of the place.
 * @returns null if there are neither a valid zone nor coordinates, or the country has no zone.
 */
export function placeTimezone(
  country: string | null,
  placed: readonly Finding[],
  located: Finding | undefined,
  regionCode: string | null,
): string | null {
  for (const { timezone } of placed) {
    const stated = timezone === null ? null : recognizeZone(country, timezone);
    if (stated !== null) return stated;
  }
  if (located === undefined || located.latitude === null || located.longitude === null) return null;
  const found = nearestZone(country, located.latitude, located.longitude);
  return found ?? (country !== null && regionCode !== null ? zoneOfRegion(country, regionCode) : null);
}
