import type { Finding, Schema } from "./finding.ts";
import { matchesNetwork, member, readNested, readNetwork } from "./maxmind.ts";

/**
 * IP2Location LITE DB1 (country) and DB11 (city): MaxMind's nested maps, with "-" for unknown. A subdivision has no code and a
 * location no zone. https://lite.ip2location.com, and the converter that writes these types:
 * https://github.com/ip2location/ip2location-python-csv-converter. IP2Location's own converter names its files after MaxMind's:
 * https://github.com/ip2location/ip2convert
 */
export const ip2locationPlace: Schema = {
  name: "ip2location",
  databaseType: /^(IP2(LITE|Location)-(Country|City)\b|GeoLite2(Country|City) database$)/i,
  matches: (record) => typeof member(member(record, "country"), "iso_code") === "string",
  read: (record) => withoutDashes(readNested(record)),
};

/** IP2Location LITE ASN: the fields of GeoLite2 ASN. */
export const ip2locationNetwork: Schema = {
  name: "ip2location",
  databaseType: /^IP2(LITE|Location)-ASN\b/i,
  matches: matchesNetwork,
  read: (record) => withoutDashes(readNetwork(record)),
};

function withoutDashes(finding: Finding): Finding {
  const { countryName, region, city, timezone, postalCode, asOrganization } = finding;
  return {
    ...finding,
    countryName: known(countryName),
    region: known(region),
    city: known(city),
    timezone: known(timezone),
    postalCode: known(postalCode),
    asOrganization: known(asOrganization),
  };
}

function known(value: string | null): string | null {
  return value === "-" ? null : value;
}
