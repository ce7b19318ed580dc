import { zonesOfCountry } from "./country-zones.ts";

/** Reviewed zones of countries with several that have the same time all year. */
const REVIEWED: Readonly<Record<string, string>> = {
  AR: "America/Argentina/Buenos_Aires",
  CY: "Asia/Nicosia",
  DE: "Europe/Berlin", // and Büsingen, which keeps Zurich's
  KZ: "Asia/Almaty",
  MH: "Pacific/Majuro",
  MY: "Asia/Kuala_Lumpur",
  PS: "Asia/Hebron",
  UZ: "Asia/Tashkent",
};

/**
 * The IANA time zone of a country in which it is the same time everywhere.
 * @param country ISO 3166-1 alpha-2.
 * @returns null for countries with several times (US, ES, CN…) and for invalid codes.
 */
export function timezoneOfCountry(country: string): string | null {
  const [first, second] = zonesOfCountry(country);
  return second === undefined ? (first ?? null) : (REVIEWED[country] ?? null);
}
