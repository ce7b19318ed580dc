import { REPORT_FIELDS } from "@geolookup/shared/domain/data-report.ts";
import type { ReportState } from "../deployment/kept-report.ts";

/** The fields that the databases in use never have, according to the data report. Empty without a report. */
export function fieldsWithoutData(state: ReportState): ReadonlySet<string> {
  if (typeof state === "string") return new Set();
  const { ipv4, ipv6 } = state.report.coverage.all;
  return new Set(REPORT_FIELDS.filter((name) => (ipv4.known[name]?.[0] ?? 0) + (ipv6.known[name]?.[0] ?? 0) === 0));
}
