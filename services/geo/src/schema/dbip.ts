import { member } from "./fields.ts";
import { matchesNetwork, readNested, readNetwork } from "./maxmind.ts";
import type { Schema } from "./schema.ts";

/** DB-IP City and Country Lite: MaxMind's nested maps, with fewer of them (a subdivision has no code, a location no zone). https://db-ip.com/db/lite.php */
export const dbipPlace: Schema = {
  name: "dbip",
  databaseType: /^DBIP-(City|Country)\b/,
  matches: (record) => typeof member(member(record, "country"), "iso_code") === "string",
  read: readNested,
};

/** DB-IP ASN Lite: the fields of GeoLite2 ASN. */
export const dbipNetwork: Schema = {
  name: "dbip",
  databaseType: /^DBIP-ASN\b/,
  matches: matchesNetwork,
  read: readNetwork,
};
