import { basename } from "node:path";
import type { Located } from "@geolookup/shared/domain/locate.ts";
import { repeat } from "@geolookup/shared/runtime/lifecycle.ts";
import type { Logger } from "@geolookup/shared/runtime/log.ts";
import { StartError } from "@geolookup/shared/runtime/start-error.ts";
import type { Registry } from "prom-client";
import { type Database, type DatabaseInfo, openDatabase } from "./database.ts";
import { createLocate } from "./locate.ts";
import { createGeoMetrics } from "./metrics.ts";
import { followFile } from "./reload.ts";

const POLL_INTERVAL_MS = 1_000;

export interface OpenedLocator {
  /** The place of a canonical address; synchronous, never throws. */
  locate(ip: string): Located;
  /** In priority order. */
  databases(): DatabaseInfo[];
  close(): Promise<void>;
}

/**
 * Opens and checks the databases and follows their files, so that a new one is used within a few
 * seconds and a bad one never.
 * @param options.databases paths, the first one wins.
 * @param options.pollIntervalMs how often files are looked at.
 * @throws StartError naming the first file that cannot be used.
 */
export async function openLocator(options: {
  databases: readonly string[];
  log: Logger;
  registry: Registry;
  pollIntervalMs?: number;
}): Promise<OpenedLocator> {
  const { databases: paths, log } = options;
  if (paths.length === 0) throw new StartError("GEO_DATABASES names no file; unset it or name at least one");
  const opened: Database[] = [];
  const polls: (() => Promise<void>)[] = [];
  const metrics = createGeoMetrics(options.registry, () => opened.map(({ info }) => info));
  const failedBefore = new WeakSet<Database>();
  let locateNow: (ip: string) => Located;
  const use = () => {
    locateNow = createLocate([...opened], (database, error) => {
      metrics.lookupFailures.inc({ database: database.info.name });
      if (failedBefore.has(database)) return;
      failedBefore.add(database);
      log.error({ database: database.info.name, err: error }, "a look-up failed: the database is damaged; replace it");
    });
  };

  for (const [index, path] of paths.entries()) {
    const { database, signature } = await openDatabase(path);
    opened.push(database);
    const poll = followFile({
      path,
      signature,
      log,
      swap: (fresh) => {
        opened[index] = fresh;
        use();
      },
    });
    polls.push(async () => {
      const result = await poll();
      if (result !== "unchanged") metrics.reloads.inc({ database: basename(path), result });
    });
  }
  use();
  const polling = repeat(
    options.pollIntervalMs ?? POLL_INTERVAL_MS,
    async () => {
      for (const poll of polls) await poll();
    },
    log,
  );

  return {
    locate: (ip) => {
      const located = locateNow(ip);
      metrics.lookups[located.reason as keyof typeof metrics.lookups]++;
      return located;
    },
    databases: () => opened.map(({ info }) => info),
    close: () => polling.close(),
  };
}
