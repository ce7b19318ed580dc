import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { callUnary, loadService, openClient } from "@geolookup/shared/runtime/grpc/client.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgeted } from "@geolookup/shared/runtime/observability/log-budget.ts";
import type { DatabaseCredit, Site } from "./site.ts";

const DEADLINE_MS = 1_000;
/** Databases change a few times a month; a page should not cost geo a call. */
const FRESH_MS = 60_000;
/** With geo down, pages do not wait for it one after another. */
const RETRY_MS = 5_000;

/**
 * Asks geo which databases are loaded, at most once a minute. Without an answer the last one is told.
 * @param target any gRPC target of the geo nodes.
 */
export function connectDatabases(
  target: string,
  { log, clock }: { log: Logger; clock: Clock },
): { databases: Site["databases"]; close(): void } {
  const client = openClient(loadService("geo/v1/geo.proto", "geolookup.geo.v1.Geo"), target);
  let known: readonly DatabaseCredit[] | null = null;
  let askAgainAtMs = 0;
  let asking: Promise<void> | null = null;
  const ask = async () => {
    try {
      const answer = await callUnary<{ databases: Partial<DatabaseCredit>[] }>(
        client,
        "listDatabases",
        {},
        { deadlineMs: DEADLINE_MS },
      );
      known = answer.databases.map(fromWire);
      askAgainAtMs = clock() + FRESH_MS;
    } catch (error) {
      askAgainAtMs = clock() + RETRY_MS;
      budgeted(log).warn({ err: error }, "list of loaded databases unavailable; pages show the last known one");
    } finally {
      asking = null;
    }
  };
  return {
    databases: async () => {
      if (clock() >= askAgainAtMs) asking ??= ask();
      await asking;
      return known;
    },
    close: () => client.close(),
  };
}

/** Over gRPC what is empty or 0 is absent. */
function fromWire(database: Partial<DatabaseCredit>): DatabaseCredit {
  return { name: "", databaseType: "", buildUnixSeconds: 0, attribution: "", attributionUrl: "", ...database };
}
