import type { Place } from "../record.ts";

/** A place with every field. */
export const MILTON: Readonly<Place> = {
  country: "US",
  countryName: "United States",
  continent: "NA",
  isEUCountry: false,
  region: "Washington",
  regionCode: "WA",
  city: "Milton",
  timezone: "America/Los_Angeles",
  postalCode: "98354",
  latitude: "47.2513",
  longitude: "-122.3149",
  asn: 64500,
  asOrganization: "Example Networks",
  currency: "USD",
  languages: ["en"],
  metroCode: "819",
};
