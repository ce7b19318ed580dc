import { anyMember, asNumber, continent, type MemberOf, metroCode, place, radius, text } from "./fields.ts";
import type { Schema } from "./finding.ts";

export const IPINFO_KEYS = [
  ...(["country", "country_code", "country_name", "continent", "continent_code", "region", "region_code"] as const),
  ...(["city", "timezone", "postal_code", "latitude", "lat", "longitude", "lng", "radius", "dma_code"] as const),
  ...(["asn", "as_name", "name", "is_anycast"] as const),
];
const member: MemberOf<typeof IPINFO_KEYS> = anyMember;

/**
 * IPinfo Lite, Core and Plus: one flat map; `asn` reads "AS64500", and `country` is the country's name. Lite has the country
 * and the network only. Flags (anonymous, hosting…) and the carrier aren't read.
 * In older databases (location, country, country ASN, ASN), `country` and `continent` are codes, coordinates are `lat` and
 * `lng`, and `name` is the network's.
 * https://ipinfo.io/developers/ipinfo-lite-database, https://ipinfo.io/developers/ipinfo-core-database,
 * https://ipinfo.io/developers/ipinfo-plus-database, https://ipinfo.io/developers/ip-to-country-asn-database
 */
export const ipinfo: Schema = {
  name: "ipinfo",
  databaseType: /^ipinfo\b/i,
  matches: (record) =>
    (["country_code", "country", "asn"] as const).some((key) => typeof member(record, key) === "string"),
  read: (record) => {
    const country = member(record, "country");
    const countryCode = member(record, "country_code");
    return {
      ...place({
        country: countryCode ?? country,
        countryName: text(countryCode === undefined ? member(record, "country_name") : country),
        continent: continent(member(record, "continent_code") ?? member(record, "continent")),
        region: text(member(record, "region")),
        regionCode: text(member(record, "region_code")),
        city: text(member(record, "city")),
        timezone: text(member(record, "timezone")),
        postalCode: text(member(record, "postal_code")),
        latitude: member(record, "latitude") ?? member(record, "lat"),
        longitude: member(record, "longitude") ?? member(record, "lng"),
        metroCode: metroCode(member(record, "dma_code")),
      }),
      asn: asNumber(member(record, "asn")),
      asOrganization: text(member(record, "as_name") ?? member(record, "name")),
      accuracyKm: radius(member(record, "radius")),
      isAnycast: member(record, "is_anycast") === true,
    };
  },
};
