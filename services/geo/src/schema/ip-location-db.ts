import { unifyNames } from "./dbip.ts";
import { anyMember, type MemberOf, place, text } from "./fields.ts";
import type { Schema } from "./finding.ts";
import { matchesNetwork, readNetwork } from "./maxmind.ts";

export const IP_LOCATION_DB_KEYS = [
  ...(["country_code", "state1", "city", "timezone", "postcode", "latitude", "longitude"] as const),
];
const member: MemberOf<typeof IP_LOCATION_DB_KEYS> = anyMember;

/**
 * The `@ip-location-db/*-city-mmdb` and `*-country-mmdb` packages: one flat map, "" for unknown,
 * often separate files for IPv4 and IPv6; the type of a file for both ends in "ipvAll". https://github.com/sapics/ip-location-db
 */
export const ipLocationDbPlace: Schema = {
  name: "ip-location-db",
  databaseType: /^(city|country)( ipv(4|6|all))?$/i,
  matches: (record) => typeof member(record, "country_code") === "string",
  read: (record) =>
    place({
      country: member(record, "country_code"),
      region: text(member(record, "state1")),
      city: text(member(record, "city")),
      timezone: text(member(record, "timezone")),
      postalCode: text(member(record, "postcode")),
      latitude: member(record, "latitude"),
      longitude: member(record, "longitude"),
    }),
};

/** Those of DB-IP's data. Only the file's name says whose data it has. */
export const ipLocationDbOfDbip: Schema = {
  ...ipLocationDbPlace,
  fileName: /dbip/i,
  unify: unifyNames,
};

/** Its files of autonomous systems, such as `origin-asn.mmdb`. */
export const ipLocationDbNetwork: Schema = {
  name: "ip-location-db",
  databaseType: /^asn( ipv(4|6|all))?$/i,
  matches: matchesNetwork,
  read: readNetwork,
};
