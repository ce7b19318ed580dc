import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { Database__Output as WireDatabase } from "@geolookup/shared/generated/geolookup/geo/v1/Database.ts";
import { callUnary, openClient, securePeer } from "@geolookup/shared/runtime/grpc/client.ts";
import { GEO } from "@geolookup/shared/runtime/grpc/services.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgeted } from "@geolookup/shared/runtime/observability/log-budget.ts";
import type { InternalTls } from "@geolookup/shared/runtime/tls/internal-tls.ts";
import type { DatabaseCredit, DeploymentInfo } from "./deployment-info.ts";
import { createReportParser, type ReportState } from "./kept-report.ts";
import { reuse } from "./services.ts";

const DEADLINE_MS = 1_000;
/** Databases change a few times a month, so pages don't need a call each. */
const FRESH_MS = 60_000;
/** While geo is down, not every page waits for it. */
const RETRY_MS = 5_000;
/** A report takes 300 kB, so a public page must not fetch one per visit. */
const REPORT_FRESH_MS = 5_000;

/**
 * Fetches the list of loaded databases from geo, at most once a minute; if that fails, the last known list is used. Fetches the
 * report about their quality at most every 5 seconds.
 * @param target gRPC target of the geo nodes.
 * @param context.tls for connections to geo. Default: they have no TLS.
 */
export function connectDatabases(
  target: string,
  { log, clock, tls }: { log: Logger; clock: Clock; tls?: InternalTls | null },
): Pick<DeploymentInfo, "databases" | "nextRefreshAt" | "report"> & Disposable {
  const client = openClient(target, securePeer(tls, "geo"));
  let known: readonly DatabaseCredit[] | null = null;
  let nextRefreshAt: string | null = null;
  const parseReport = createReportParser(clock);
  let refetchAtMs = 0;
  let fetching: Promise<void> | null = null;
  const fetchList = async () => {
    try {
      const options = { deadlineMs: DEADLINE_MS };
      const { databases } = await callUnary(client, GEO.ListDatabases, {}, options);
      known = databases.map(fromWire);
      // Nodes of version 0.1 don't say.
      const status = await callUnary(client, GEO.GetDataStatus, {}, options).catch(() => null);
      nextRefreshAt = (status?.isRefreshed && status.refresh?.nextRunAt) || null;
      refetchAtMs = clock() + FRESH_MS;
    } catch (error) {
      refetchAtMs = clock() + RETRY_MS;
      budgeted(log).warn({ err: error }, "list of loaded databases unavailable; pages show the last known one");
    } finally {
      fetching = null;
    }
  };
  const fetchIfOld = async () => {
    if (clock() >= refetchAtMs) fetching ??= fetchList();
    await fetching;
  };
  const fetchReport = async (): Promise<ReportState> => {
    try {
      const { json = null, loadedSha256 } = await callUnary(client, GEO.GetDataReport, {}, { deadlineMs: DEADLINE_MS });
      return parseReport({ json, loadedSha256 });
    } catch (error) {
      budgeted(log).warn({ err: error }, "data report unavailable");
      return "unavailable";
    }
  };
  return {
    databases: async () => {
      await fetchIfOld();
      return known;
    },
    nextRefreshAt: async () => {
      await fetchIfOld();
      return nextRefreshAt;
    },
    report: reuse(REPORT_FRESH_MS, clock, fetchReport),
    [Symbol.dispose]: () => client.close(),
  };
}

/** Over gRPC, empty and zero values are absent. */
function fromWire(database: WireDatabase): DatabaseCredit {
  return { name: "", databaseType: "", buildUnixSeconds: 0, attribution: "", attributionUrl: "", ...database };
}
