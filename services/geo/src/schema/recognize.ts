import { MmdbError } from "../mmdb/error.ts";
import { regionNameOf } from "../regions/english-names.ts";
import { regionCodeOf } from "../regions/region-code.ts";
import { currentRegionCode } from "../regions/withdrawn-codes.ts";
import { dbipNetwork, dbipPlace } from "./dbip.ts";
import type { Finding, Schema } from "./finding.ts";
import { IP_LOCATION_DB_KEYS, ipLocationDbNetwork, ipLocationDbOfDbip, ipLocationDbPlace } from "./ip-location-db.ts";
import { ip2locationNetwork, ip2locationPlace } from "./ip2location.ts";
import { IPINFO_KEYS, ipinfo } from "./ipinfo.ts";
import { geolookupNetwork, MAXMIND_KEYS, maxmindNetwork, maxmindPlace } from "./maxmind.ts";

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
].map((schema) => ({ ...schema, read: (record) => withCurrentRegion(schema.read(record)) }));

const READ: ReadonlySet<string> = new Set([...MAXMIND_KEYS, ...IPINFO_KEYS, ...IP_LOCATION_DB_KEYS]);

/** Whether a member of that name is read, at any depth. The others aren't decoded. */
export function isRead(key: string): boolean {
  return READ.has(key);
}

const SUPPORTED =
  "MaxMind GeoIP2 and GeoLite2 (City, Country, ASN, Enterprise, ISP), DB-IP (City, Country, ASN, Location, ISP, Location + ISP), IPinfo (Lite, Core, Plus, location, country, ASN), IP2Location LITE (City, Country, ASN; also as ip2convert writes them) and ip-location-db (city, country, asn)";

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
 * @throws MmdbError saying what is there instead, and what to get.
 */
export function recognizeSchema(databaseType: string, sample: readonly unknown[]): Schema {
  const schema = schemaOf(databaseType);
  const type = JSON.stringify(databaseType.slice(0, 80));
  const remedy = `replace it with one of the supported databases: ${SUPPORTED};`;
  if (!schema) throw new MmdbError(`its type ${type} is not one this service can read`, remedy);
  if (sample.some(schema.matches)) return schema;
  throw new MmdbError(
    `it says it is ${type}, but its records have neither locations nor networks in the layout "${schema.name}"; ${fieldsOf(sample)}`,
    remedy,
  );
}

/** The names of a record's fields, in words. They are shown as they are only if they are plain. */
function fieldsOf([record]: readonly unknown[]): string {
  const names = Object.keys(typeof record === "object" && record !== null ? record : {});
  const plain = names.filter((name) => /^\w{1,40}$/.test(name)).slice(0, 10);
  return plain.length > 0 ? `they have ${plain.join(", ")}` : "they have no fields with plain names";
}

const ANYWHERE = { city: null, latitude: null, longitude: null };

/** A withdrawn region code becomes today's. The vendor's name of the region stays if it is that of today's region. */
export function withCurrentRegion(finding: Finding): Finding {
  const { country, region, regionCode } = finding;
  if (country === null || regionCode === null) return finding;
  const current = currentRegionCode(country, regionCode, finding);
  if (current === regionCode) return finding;
  if (current === null || region === null || regionCodeOf(country, region, ANYWHERE) === current)
    return { ...finding, regionCode: current };
  return { ...finding, regionCode: current, region: regionNameOf(country, current) ?? region };
}
