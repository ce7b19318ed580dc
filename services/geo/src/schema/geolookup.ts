import { matchesNetwork, readNetwork } from "./maxmind.ts";
import type { Schema } from "./schema.ts";

/** The type of the file that `./geolookup data fetch` makes of the `@ip-location-db/asn` CSV. */
export const ASN_DATABASE_TYPE = "geolookup-ASN";

/** Our own ASN file, with the field names of GeoLite2 ASN. */
export const geolookupNetwork: Schema = {
  name: "geolookup",
  databaseType: new RegExp(`^${ASN_DATABASE_TYPE}$`),
  matches: matchesNetwork,
  read: readNetwork,
};
