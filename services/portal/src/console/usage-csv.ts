import type { KeyView, UsageView } from "@geolookup/shared/runtime/grpc/admin-views.ts";

const HEADER = ["key_id", "label", "plan", "day", "requests"];

/** A key's usage by day, as CSV (RFC 4180). */
export function usageCsv({ keyId, label, plan }: KeyView, months: readonly UsageView[]): string {
  const rows = months.flatMap(({ days }) =>
    days.map(({ day, requests }) => [keyId, label, plan, day, String(requests)]),
  );
  return [HEADER, ...rows].map((row) => `${row.map(csvField).join(",")}\r\n`).join("");
}

/** What a spreadsheet takes for the start of a formula: at the start of a field, or where it splits at `;` instead of `,`. */
const FORMULA_START = /^(?=[\t\r\n])|(^|[;\t\r\n])(?=[\s\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/gu;

/**
 * A field of CSV. What a spreadsheet would take for a formula gets an apostrophe before it, which makes it text: labels
 * are somebody's words, and a formula could carry the rest of the sheet elsewhere.
 */
export function csvField(text: string): string {
  const harmless = text.replace(FORMULA_START, (start) => `${start}'`);
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
