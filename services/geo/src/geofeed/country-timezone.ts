import { isCountry } from "../lookup/country-table.ts";

/**
 * Reviewed zones of countries for which ICU lists several with the same time all year, or a name that the time zone
 * database (2026a, zone.tab) no longer uses.
 */
const REVIEWED: Readonly<Record<string, string>> = {
  AR: "America/Argentina/Buenos_Aires",
  CY: "Asia/Nicosia",
  DE: "Europe/Berlin", // and Büsingen, which keeps Zurich's
  ER: "Africa/Asmara",
  FO: "Atlantic/Faroe",
  IN: "Asia/Kolkata",
  KZ: "Asia/Almaty",
  MH: "Pacific/Majuro",
  MM: "Asia/Yangon",
  MY: "Asia/Kuala_Lumpur",
  NP: "Asia/Kathmandu",
  PS: "Asia/Hebron",
  UZ: "Asia/Tashkent",
  VN: "Asia/Ho_Chi_Minh",
  XK: "Europe/Belgrade", // ICU knows no user-assigned code
};

/**
 * The IANA time zone of a country that has only one.
 * @param country ISO 3166-1 alpha-2.
 * @returns null for countries with several (US, ES, CN…) and for invalid codes.
 */
export function timezoneOfCountry(country: string): string | null {
  if (!isCountry(country)) return null;
  const known = cached.get(country);
  if (known !== undefined) return known;
  const timezone = REVIEWED[country] ?? onlyTimezone(country);
  cached.set(country, timezone);
  return timezone;
}

/** Cached: ICU is slow, and a geofeed needs it for each place. */
const cached = new Map<string, string | null>();

function onlyTimezone(country: string): string | null {
  const timezones = new Intl.Locale("und", { region: country }).getTimeZones() ?? [];
  return timezones.length === 1 ? (timezones[0] as string) : null;
}
