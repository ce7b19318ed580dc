import { geolookupNetwork } from "../schema/maxmind.ts";

/** The credit that a database's license requires with its data. */
export interface Attribution {
  text: string;
  url: string;
}

const MAXMIND: Attribution = {
  text: "This product includes GeoLite data created by MaxMind, available from https://www.maxmind.com",
  url: "https://www.maxmind.com",
};
const DBIP: Attribution = { text: "IP Geolocation by DB-IP", url: "https://db-ip.com" };
const DBIP_LITE: Attribution = { ...DBIP, text: `${DBIP.text}, CC BY 4.0` };
const IPINFO: Attribution = { text: "IP address data powered by IPinfo", url: "https://ipinfo.io" };
const IP2LOCATION: Attribution = {
  text: "This site uses the IP2Location LITE database for IP geolocation",
  url: "https://lite.ip2location.com",
};
const ASN: Attribution = {
  text: "Autonomous systems by RouteViews (https://www.routeviews.org), DB-IP (https://db-ip.com) and NRO (https://www.nro.net), CC BY 4.0, converted to MMDB",
  url: "https://creativecommons.org/licenses/by/4.0/",
};
/** In the public domain: no credit is required, but its makers are named anyway. */
const ORIGIN_ASN: Attribution = {
  text: "Autonomous systems by ip-location-db (origin-asn), PDDL 1.0",
  url: "https://github.com/sapics/ip-location-db",
};
const IP_LOCATION_DB: Attribution = {
  text: "IP data packaged by ip-location-db from one of several sources; the file does not say which, so see the license it came with",
  url: "https://github.com/sapics/ip-location-db",
};

/** First match wins. The files of ip-location-db do not say whose data they hold; their names do. */
const RULES: readonly { databaseType: RegExp; fileName?: RegExp; attribution: Attribution | null }[] = [
  { databaseType: /^GeoLite2-/, attribution: MAXMIND },
  { databaseType: /^DBIP-\w+-Lite\b/, attribution: DBIP_LITE },
  { databaseType: /^DBIP-/, attribution: DBIP },
  { databaseType: /^ipinfo bundle_location_(core|plus)/i, attribution: null },
  { databaseType: /^ipinfo\b/i, attribution: IPINFO },
  { databaseType: /^(IP2LITE\b|GeoLite2(Country|City) database$)/i, attribution: IP2LOCATION },
  { databaseType: geolookupNetwork.databaseType, attribution: ASN },
  { databaseType: /^(city|country|asn)\b/i, fileName: /dbip/i, attribution: DBIP_LITE },
  { databaseType: /^(city|country|asn)\b/i, fileName: /geolite/i, attribution: MAXMIND },
  { databaseType: /^asn\b/i, fileName: /^origin-asn/i, attribution: ORIGIN_ASN },
  { databaseType: /^asn\b/i, attribution: ASN },
  { databaseType: /^(city|country)\b/i, attribution: IP_LOCATION_DB },
];

/**
 * The attribution for a database, or null if its license requires none (GeoIP2, IPinfo Core and Plus are bought).
 * @param databaseType as its metadata states it.
 * @param fileName without its folder.
 */
export function attributionOf(databaseType: string, fileName: string): Attribution | null {
  const rule = RULES.find(
    (candidate) => candidate.databaseType.test(databaseType) && (candidate.fileName?.test(fileName) ?? true),
  );
  return rule?.attribution ?? null;
}
