import { LRUCache } from "lru-cache";
import { isCountry } from "../countries/country-table.ts";

/**
 * Names that ICU keeps for compatibility, and their names in zone.tab of the IANA time zone database (2026c). Otherwise,
 * ICU's zones of each country are those of zone.tab.
 */
const RENAMED: Readonly<Record<string, string>> = {
  "Africa/Asmera": "Africa/Asmara",
  "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
  "America/Catamarca": "America/Argentina/Catamarca",
  "America/Coral_Harbour": "America/Atikokan",
  "America/Cordoba": "America/Argentina/Cordoba",
  "America/Godthab": "America/Nuuk",
  "America/Indianapolis": "America/Indiana/Indianapolis",
  "America/Jujuy": "America/Argentina/Jujuy",
  "America/Louisville": "America/Kentucky/Louisville",
  "America/Mendoza": "America/Argentina/Mendoza",
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
  "Atlantic/Faeroe": "Atlantic/Faroe",
  "Europe/Kiev": "Europe/Kyiv",
  "Pacific/Enderbury": "Pacific/Kanton",
  "Pacific/Ponape": "Pacific/Pohnpei",
  "Pacific/Truk": "Pacific/Chuuk",
};

/** zone.tab and ICU have no user-assigned codes. */
const KOSOVO: readonly string[] = ["Europe/Belgrade"];

/** Lists are cached, since ICU is slow. There are as many as countries. */
const zonesByCountry = new Map<string, readonly string[]>();

/** Today's names of zones, empty for texts that aren't zones. All countries together have a few hundred zones and old names. */
const currentNames = new LRUCache<string, string>({ max: 2_000 });

/**
 * The IANA time zones of a country, as in zone.tab.
 * @param country ISO 3166-1 alpha-2, or XK.
 * @returns none for uninhabited islands without a zone (BV, HM) and for invalid codes.
 */
export function zonesOfCountry(country: string): readonly string[] {
  const known = zonesByCountry.get(country);
  if (known !== undefined) return known;
  if (!isCountry(country)) return [];
  const listed = new Intl.Locale("und", { region: country }).getTimeZones() ?? [];
  const zones = country === "XK" ? KOSOVO : listed.map((zone) => RENAMED[zone] ?? zone);
  zonesByCountry.set(country, zones);
  return zones;
}

/**
 * Recognizes a time zone that a vendor states.
 * @param country null if it is unknown: any zone is recognized then.
 * @returns the zone's name in the IANA time zone database, also for an old name of it; null if it isn't a zone, or is in
 * another country.
 */
export function recognizeZone(country: string | null, zone: string): string | null {
  if (country === null) return currentName(zone);
  const zones = zonesOfCountry(country);
  if (zones.includes(zone)) return zone;
  const name = currentName(zone);
  return name !== null && zones.includes(name) ? name : null;
}

function currentName(zone: string): string | null {
  const known = currentNames.get(zone);
  if (known !== undefined) return known || null;
  const name = nameByIcu(zone);
  currentNames.set(zone, name ?? "");
  return name;
}

function nameByIcu(zone: string): string | null {
  // ICU also takes offsets, such as "+02:00", and abbreviations of its own: "CST" would be Chicago.
  if (!/^[a-z].{3}/i.test(zone)) return null;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions();
    return RENAMED[timeZone] ?? timeZone;
  } catch {
    return null;
  }
}

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
