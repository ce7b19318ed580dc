import { asNumber, continent, degrees, member, metroCode, place, text } from "./fields.ts";
import type { Schema } from "./schema.ts";

/**
 * IPinfo Lite, Core and Plus: one flat map; `asn` reads "AS64500", and `country` is the country's name. Lite has the country
 * and the network only. Flags (anonymous, hosting…) and the carrier aren't read.
 * https://ipinfo.io/developers/ipinfo-lite-database, https://ipinfo.io/developers/ipinfo-core-database,
 * https://ipinfo.io/developers/ipinfo-plus-database
 */
export const ipinfo: Schema = {
  name: "ipinfo",
  databaseType: /^ipinfo\b/i,
  matches: (record) => typeof member(record, "country_code") === "string",
  read: (record) => ({
    ...place({
      country: member(record, "country_code"),
      countryName: text(member(record, "country")),
      continent: continent(member(record, "continent_code")),
      region: text(member(record, "region")),
      regionCode: text(member(record, "region_code")),
      city: text(member(record, "city")),
      timezone: text(member(record, "timezone")),
      postalCode: text(member(record, "postal_code")),
      latitude: degrees(member(record, "latitude")),
      longitude: degrees(member(record, "longitude")),
      metroCode: metroCode(member(record, "dma_code")),
    }),
    asn: asNumber(member(record, "asn")),
    asOrganization: text(member(record, "as_name")),
  }),
};
