import { type GeoRecord, UNKNOWN_PLACE } from "@geolookup/shared/domain/record.ts";
import { EXAMPLE_RECORD } from "./examples.ts";

/** A sample of the demo: the response to a request from this place, on a plan with all fields. */
export interface SamplePlace {
  /** Unique among the samples, and the value of its radio button. */
  id: string;
  label: string;
  record: GeoRecord;
}

/** Fields that belong to the network are invented: addresses and numbers are reserved for documentation (RFC 5737, RFC 5398). */
const TOKYO: GeoRecord = {
  ip: "203.0.113.7",
  ...UNKNOWN_PLACE,
  country: "JP",
  countryName: "Japan",
  continent: "AS",
  isEUCountry: false,
  region: "Tokyo",
  regionCode: "13",
  city: "Tokyo",
  timezone: "Asia/Tokyo",
  postalCode: "100-0001",
  latitude: "35.6895",
  longitude: "139.6917",
  asn: 64500,
  asOrganization: "Example Networks",
  currency: "JPY",
  languages: ["ja"],
};

const SAO_PAULO: GeoRecord = {
  ip: "198.51.100.24",
  ...UNKNOWN_PLACE,
  country: "BR",
  countryName: "Brazil",
  continent: "SA",
  isEUCountry: false,
  region: "São Paulo",
  regionCode: "SP",
  city: "São Paulo",
  timezone: "America/Sao_Paulo",
  postalCode: "01000",
  latitude: "-23.5475",
  longitude: "-46.6361",
  asn: 64501,
  asOrganization: "Example Telecom",
  currency: "BRL",
  languages: ["pt"],
};

const UNKNOWN = { ip: "192.0.2.1", ...UNKNOWN_PLACE, partial: true };

/** The samples, in the order of their radio buttons. The first one is selected. */
export const SAMPLE_PLACES: readonly [SamplePlace, ...SamplePlace[]] = [
  { id: "london", label: "London", record: EXAMPLE_RECORD },
  { id: "tokyo", label: "Tokyo", record: TOKYO },
  { id: "sao-paulo", label: "São Paulo", record: SAO_PAULO },
  { id: "unknown", label: "Unknown location", record: UNKNOWN },
];
