import { type DataReport, dataReport } from "@geolookup/shared/domain/data-report.ts";

/** What geo keeps: the latest report as JSON, and the SHA-256 hashes of the databases that it uses. */
export interface KeptReport {
  json: string | null;
  loadedSha256: readonly string[];
}

/** The report about the quality of the data; `none` was made, it is `invalid`, or geo is `unavailable`. */
export type ReportState = { report: DataReport; isCurrent: boolean } | "none" | "invalid" | "unavailable";

/** Reads reports. It remembers the last one, because checking one takes milliseconds. */
export function createReportParser(): (kept: KeptReport) => ReportState {
  let lastJson: string | null = null;
  let last: DataReport | null = null;
  return ({ json, loadedSha256 }) => {
    if (json === null) return "none";
    if (json !== lastJson) {
      lastJson = json;
      last = parse(json);
    }
    if (last === null) return "invalid";
    const isCurrent = last.databases.map(({ sha256 }) => sha256).join() === loadedSha256.join();
    return { report: last, isCurrent };
  };
}

function parse(json: string): DataReport | null {
  try {
    return dataReport.parse(JSON.parse(json));
  } catch {
    return null;
  }
}
