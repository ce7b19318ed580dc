import { asNumber, continent, member, place, text } from "./fields.ts";
import type { Schema } from "./schema.ts";

/** IPinfo Lite: country and network in one flat map; `asn` reads "AS64500". https://ipinfo.io/developers/ipinfo-lite-database */
export const ipinfoLite: Schema = {
  name: "ipinfo-lite",
  databaseType: /^ipinfo\b/i,
  matches: (record) => typeof member(record, "country_code") === "string",
  read: (record) => ({
    ...place({
      country: member(record, "country_code"),
      countryName: text(member(record, "country")),
      continent: continent(member(record, "continent_code")),
      region: null,
      regionCode: null,
      city: null,
      timezone: null,
      postalCode: null,
      latitude: null,
      longitude: null,
      metroCode: null,
    }),
    asn: asNumber(member(record, "asn")),
    asOrganization: text(member(record, "as_name")),
  }),
};
