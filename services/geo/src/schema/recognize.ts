import { dbipNetwork, dbipPlace } from "./dbip.ts";
import { geolookupNetwork } from "./geolookup.ts";
import { ipLocationDbNetwork, ipLocationDbOfDbip, ipLocationDbPlace } from "./ip-location-db.ts";
import { ip2locationNetwork, ip2locationPlace } from "./ip2location.ts";
import { ipinfo } from "./ipinfo.ts";
import { maxmindNetwork, maxmindPlace } from "./maxmind.ts";
import type { Schema } from "./schema.ts";

const SCHEMAS: readonly Schema[] = [
  maxmindPlace,
  maxmindNetwork,
  dbipPlace,
  dbipNetwork,
  ipLocationDbOfDbip,
  ipLocationDbPlace,
  ipLocationDbNetwork,
  ipinfo,
  ip2locationPlace,
  ip2locationNetwork,
  geolookupNetwork,
];

const SUPPORTED =
  "supported are MaxMind GeoIP2 and GeoLite2 (City, Country, ASN, Enterprise, ISP), DB-IP (City, Country, ASN, Location, ISP, Location + ISP), IPinfo (Lite, Core, Plus), IP2Location LITE (City, Country, ASN) and ip-location-db (city, country, asn)";

/**
 * The schema of a database type; undefined when none has it.
 * @param fileName without its folder; empty if it doesn't matter: it affects only how names are read.
 */
export function schemaOf(databaseType: string, fileName = ""): Schema | undefined {
  return SCHEMAS.find(
    (candidate) => candidate.databaseType.test(databaseType) && (candidate.fileName?.test(fileName) ?? true),
  );
}

/**
 * Finds the schema of a database by the type its metadata states, and checks that the records agree.
 * @param sample decoded records from all over the database.
 * @returns the schema, or the problem as text.
 */
export function recognizeSchema(databaseType: string, sample: readonly unknown[]): Schema | string {
  const schema = schemaOf(databaseType);
  if (!schema)
    return `its type ${JSON.stringify(databaseType.slice(0, 80))} is not one this service can read; ${SUPPORTED}`;
  if (!sample.some(schema.matches))
    return `it says it is ${JSON.stringify(databaseType)}, but none of its records looks like that`;
  return schema;
}
