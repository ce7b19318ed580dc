import type { Amount, DataReport, Family, ReportField } from "@geolookup/shared/domain/data-report.ts";

/** What is counted: the columns of a report's tables. */
export const MEASURES = [
  { family: "ipv4", at: 1, label: "IPv4 addresses" },
  { family: "ipv6", at: 1, label: "IPv6 /48s" },
  { family: "ipv4", at: 0, label: "IPv4 networks" },
  { family: "ipv6", at: 0, label: "IPv6 networks" },
] as const satisfies readonly { family: Family; at: 0 | 1; label: string }[];

/** The fields that reports show by continent and country; the others are derived from the country. */
export const GROUP_FIELDS = [
  "region",
  "regionCode",
  "city",
  "timezone",
  "postalCode",
  "asn",
] as const satisfies readonly ReportField[];

const CONTINENTS: Readonly<Record<string, string>> = {
  AF: "Africa",
  AN: "Antarctica",
  AS: "Asia",
  EU: "Europe",
  NA: "North America",
  OC: "Oceania",
  SA: "South America",
};
const COUNTRIES = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });

/** A part of a whole, from 0 to 1; null if the whole is 0. @param at 0: by networks, 1: by addresses. */
export function shareOf(part: Amount | undefined, whole: Amount, at: 0 | 1): number | null {
  return whole[at] === 0 ? null : (part?.[at] ?? 0) / whole[at];
}

/** The shares of networks and addresses with a region code, by `MEASURES`. */
export function regionCodeRows({ all }: DataReport["regionCodes"]): { name: string; shares: (number | null)[] }[] {
  const shares = (isNamed: boolean) =>
    MEASURES.map(({ family, at }) => {
      const { total, known, unnamed } = all[family];
      const whole = isNamed ? total[at] - unnamed[at] : total[at];
      return whole === 0 ? null : known[at] / whole;
    });
  return [
    { name: "Countries with ISO 3166-2 codes", shares: shares(false) },
    { name: "Where the data has a region", shares: shares(true) },
  ];
}

/** A share in percent, such as `99.98%`. Only exactly 1 is 100%, and only exactly 0 is 0%. */
export function percent(share: number | null): string {
  if (share === null) return "n/a";
  if (share === 0 || share >= 1) return `${share === 0 ? 0 : 100}%`;
  if (share < 0.0001) return "<0.01%";
  return `${(Math.min(share, 0.9999) * 100).toFixed(2)}%`;
}

/** A number with thousands separators, and two places below 100 if it has any. */
export function quantity(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: value < 100 ? 2 : 0 });
}

export function kilometers(value: number | null): string {
  return value === null ? "n/a" : `${quantity(value)} km`;
}

export function continentName(code: string | null): string {
  return code === null ? "Unknown" : (CONTINENTS[code] ?? code);
}

export function countryName(code: string | null): string {
  return code === null ? "Unknown" : ((/^[A-Z]{2}$/.test(code) ? COUNTRIES.of(code) : undefined) ?? code);
}

/** A build date with its age, such as `2026-06-05 (170 days old)`. */
export function buildDate({ buildUnixSeconds, ageDays }: { buildUnixSeconds: number; ageDays: number | null }): string {
  if (buildUnixSeconds === 0 || ageDays === null) return "unknown";
  const date = new Date(buildUnixSeconds * 1_000).toISOString().slice(0, 10);
  return `${date} (${ageDays} ${ageDays === 1 ? "day" : "days"} old)`;
}
