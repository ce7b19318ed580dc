import type { KeyView, UsageView } from "@geolookup/shared/runtime/grpc/admin-views.ts";

const HEADER = ["key_id", "label", "plan", "day", "requests"];

/** A key's usage by day, as CSV (RFC 4180). */
export function usageCsv({ keyId, label, plan }: KeyView, months: readonly UsageView[]): string {
  const rows = months.flatMap(({ days }) =>
    days.map(({ day, requests }) => [keyId, label, plan, day, String(requests)]),
  );
  return [HEADER, ...rows].map((row) => `${row.map(csvField).join(",")}\r\n`).join("");
}

/** Where a spreadsheet would recognize a formula: at the start of a field, or after `;` if it splits there. */
const FORMULA_START = /^(?=[\t\r\n])|(^|[;\t\r\n])(?=[\s\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/gu;

/**
 * A CSV field. Anything that a spreadsheet would treat as a formula is prefixed with an apostrophe, which makes it text. Labels are
 * arbitrary input, and a formula could leak the rest of the sheet.
 */
export function csvField(text: string): string {
  const harmless = text.replace(FORMULA_START, (start) => `${start}'`);
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
