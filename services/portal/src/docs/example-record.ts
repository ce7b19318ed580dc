import type { GeoRecord } from "@geolookup/shared/domain/record.ts";

/** The record shown on pages: complete, and outside the United States. */
export const EXAMPLE_RECORD: GeoRecord = {
  ip: "81.2.69.142",
  country: "GB",
  countryName: "United Kingdom",
  continent: "EU",
  isEUCountry: false,
  region: "England",
  regionCode: "ENG",
  city: "London",
  timezone: "Europe/London",
  postalCode: "EC1A",
  latitude: "51.5143",
  longitude: "-0.0912",
  asn: 20712,
  asOrganization: "Andrews & Arnold Ltd",
  currency: "GBP",
  languages: ["en"],
  metroCode: null,
};

/** The record of an unknown address on a plan with the free fields. */
export const UNKNOWN_FREE_RECORD = { country: null, countryName: null, continent: null, partial: true };
