import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { ageInDays, type DataReport, dataReport, type ReportedDatabase } from "@geolookup/shared/domain/data-report.ts";

/** Geo's latest report as JSON, and the SHA-256 hashes of the databases that geo uses. */
export interface KeptReport {
  json: string | null;
  loadedSha256: readonly string[];
}

/** The report about the quality of the data in use. `none`: not computed yet. `unavailable`: geo isn't responding. */
export type ReportState = { report: DataReport } | "none" | "invalid" | "unavailable";

/** Parses reports. It caches the last one, because checking one takes milliseconds. Ages are current. */
export function createReportParser(clock: Clock): (kept: KeptReport) => ReportState {
  let lastJson: string | null = null;
  let last: DataReport | null = null;
  return ({ json, loadedSha256 }) => {
    if (json === null) return "none";
    if (json !== lastJson) {
      lastJson = json;
      last = parse(json);
    }
    if (last === null) return "invalid";
    // An older version of geo may have one about other databases.
    if (last.databases.map(({ sha256 }) => sha256).join() !== loadedSha256.join()) return "none";
    return { report: withCurrentAges(last, clock()) };
  };
}

function parse(json: string): DataReport | null {
  try {
    return dataReport.parse(JSON.parse(json));
  } catch {
    return null;
  }
}

function withCurrentAges(report: DataReport, nowMs: number): DataReport {
  const age = <Aged extends { databases: ReportedDatabase[] }>(part: Aged): Aged => ({
    ...part,
    databases: part.databases.map((one) => ({ ...one, ageDays: ageInDays(one.buildUnixSeconds, nowMs) })),
  });
  const { comparison, changes } = report;
  return { ...age(report), comparison: comparison && age(comparison), changes: changes && age(changes) };
}
