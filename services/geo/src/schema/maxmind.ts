import {
  anyMember,
  asNumber,
  continent,
  englishName,
  type MemberOf,
  metroCode,
  place,
  radius,
  text,
} from "./fields.ts";
import { EMPTY_FINDING, type Finding, type Schema } from "./finding.ts";

export const MAXMIND_KEYS = [
  ...(["country", "iso_code", "names", "en", "continent", "code", "subdivisions", "city", "postal"] as const),
  ...(["location", "latitude", "longitude", "accuracy_radius", "time_zone", "metro_code"] as const),
  ...(["traits", "is_anycast", "autonomous_system_number", "autonomous_system_organization"] as const),
];
export const member: MemberOf<typeof MAXMIND_KEYS> = anyMember;

const PLACE_KEYS = ["country", "continent", "registered_country", "represented_country", "location", "traits"];
const NETWORK_KEYS = ["autonomous_system_number", "autonomous_system_organization", "isp", "organization"];

/** GeoIP2 and GeoLite2 City, Country and Enterprise, regional editions included. https://dev.maxmind.com/geoip/docs/databases */
export const maxmindPlace: Schema = {
  name: "maxmind",
  databaseType: /^(GeoIP2|GeoLite2)-(Precision-)?(City|Country|Enterprise)\b/,
  matches: (record) => PLACE_KEYS.some((key) => typeof anyMember(record, key) === "object"),
  read: readNested,
};

/** GeoIP2 ISP, GeoIP2 and GeoLite2 ASN. */
export const maxmindNetwork: Schema = {
  name: "maxmind",
  databaseType: /^(GeoIP2|GeoLite2)-(ASN|ISP)\b/,
  matches: matchesNetwork,
  read: readNetwork,
};

/** The type of the file that `./geolookup data fetch` makes of the `@ip-location-db/asn` CSV. */
export const ASN_DATABASE_TYPE = "geolookup-ASN";

/** Our own ASN file, with the field names of GeoLite2 ASN. */
export const geolookupNetwork: Schema = {
  ...maxmindNetwork,
  name: "geolookup",
  databaseType: new RegExp(`^${ASN_DATABASE_TYPE}$`),
};

export function matchesNetwork(record: unknown): boolean {
  return NETWORK_KEYS.some((key) => anyMember(record, key) !== undefined);
}

/** A record of `autonomous_system_*` fields. */
export function readNetwork(record: unknown): Finding {
  return {
    ...EMPTY_FINDING,
    asn: asNumber(member(record, "autonomous_system_number")),
    asOrganization: text(member(record, "autonomous_system_organization")),
  };
}

/** A record of nested maps. `registered_country` is where the network is registered, not where it is: never read. */
export function readNested(record: unknown): Finding {
  const country = member(record, "country");
  const subdivisions = member(record, "subdivisions");
  const region = Array.isArray(subdivisions) ? subdivisions[0] : undefined;
  const location = member(record, "location");
  const traits = member(record, "traits");
  return {
    ...place({
      country: member(country, "iso_code"),
      countryName: englishName(country),
      continent: continent(member(member(record, "continent"), "code")),
      region: englishName(region),
      regionCode: text(member(region, "iso_code")),
      city: englishName(member(record, "city")),
      timezone: text(member(location, "time_zone")),
      postalCode: text(member(member(record, "postal"), "code")),
      latitude: member(location, "latitude"),
      longitude: member(location, "longitude"),
      metroCode: metroCode(member(location, "metro_code")),
    }),
    asn: asNumber(member(traits, "autonomous_system_number")),
    asOrganization: text(member(traits, "autonomous_system_organization")),
    accuracyKm: radius(member(location, "accuracy_radius")),
    isAnycast: member(traits, "is_anycast") === true,
  };
}
