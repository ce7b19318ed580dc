import { unifyNames } from "./dbip-names.ts";
import { matchesNetwork, member, readNested, readNetwork } from "./maxmind.ts";
import type { Schema } from "./schema.ts";

/**
 * DB-IP's databases of places: MaxMind's nested maps. In City and Country Lite, a subdivision has no code and a location no
 * zone. Location and Location + ISP have both, and ISP has a country and a network.
 * https://db-ip.com/db/lite.php, https://db-ip.com/db/format/ip-to-location/mmdb.html,
 * https://db-ip.com/db/format/ip-to-location-isp/mmdb.html, https://db-ip.com/db/format/ip-to-isp/mmdb.html
 */
export const dbipPlace: Schema = {
  name: "dbip",
  databaseType: /^DBIP-(City|Country|Location|ISP)\b/,
  matches: (record) => typeof member(member(record, "country"), "iso_code") === "string",
  read: readNested,
  unify: unifyNames,
};

/** DB-IP ASN Lite: the fields of GeoLite2 ASN. */
export const dbipNetwork: Schema = {
  name: "dbip",
  databaseType: /^DBIP-ASN\b/,
  matches: matchesNetwork,
  read: readNetwork,
};
