import type { Place } from "@geolookup/shared/domain/record.ts";
import { double, float } from "../mmdb/value.ts";

/** Records as vendors lay them out, and by hand the places they must give. All invented but the facts of the countries. */

export const NEW_ZEALAND: Partial<Place> = {
  country: "NZ",
  countryName: "New Zealand",
  continent: "OC",
  isEUCountry: false,
  currency: "NZD",
  languages: ["en", "mi"],
};

export const NESTED = {
  city: { geoname_id: 1, names: { de: "Tintenhafen", en: "Inkport" } },
  continent: { code: "EU", names: { en: "Europe" } },
  country: { iso_code: "FR", is_in_european_union: true, names: { en: "The French Republic" } },
  location: {
    accuracy_radius: 5,
    latitude: double(48.12346),
    longitude: double(-1.5),
    time_zone: "Europe/Paris",
    metro_code: 501,
  },
  postal: { code: "35999" },
  registered_country: { iso_code: "US", names: { en: "United States" } },
  subdivisions: [
    { iso_code: "BRE", names: { en: "Brittany" } },
    { iso_code: "35", names: { en: "Ille-et-Vilaine" } },
  ],
};
export const NESTED_PLACE: Partial<Place> = {
  country: "FR",
  countryName: "The French Republic",
  continent: "EU",
  isEUCountry: true,
  region: "Brittany",
  regionCode: "BRE",
  city: "Inkport",
  timezone: "Europe/Paris",
  postalCode: "35999",
  latitude: "48.1235",
  longitude: "-1.5",
  currency: "EUR",
  languages: ["fr"],
};
export const FLAT = {
  city: "Inkport",
  country_code: "NZ",
  latitude: float(-41.2887),
  longitude: float(174.7772),
  postcode: "",
  state1: "Wellington",
  state2: "",
  timezone: "",
};
export const FLAT_PLACE: Partial<Place> = {
  ...NEW_ZEALAND,
  region: "Wellington",
  regionCode: "WGN",
  city: "Inkport",
  timezone: "Pacific/Auckland",
  latitude: "-41.2887",
  longitude: "174.7772",
};
export const NETWORK = { autonomous_system_number: 64_500, autonomous_system_organization: "Inkport Net" };
export const NETWORK_PLACE: Partial<Place> = { asn: 64_500, asOrganization: "Inkport Net" };
