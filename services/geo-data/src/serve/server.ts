import { join } from "node:path";
import { readCurrent } from "@geolookup/geo/databases/installed-databases.ts";
import { systemClock } from "@geolookup/shared/domain/clock.ts";
import { startCompanion } from "@geolookup/shared/runtime/lifecycle/companion.ts";
import { repeat } from "@geolookup/shared/runtime/service/lifecycle.ts";
import { openOperations } from "@geolookup/shared/runtime/service/operations.ts";
import { openInternalTls } from "@geolookup/shared/runtime/tls/internal-tls.ts";
import { Counter, Gauge, type Registry } from "@prometheus-io/client";
import { exposeVersion } from "../follow/follow-status.ts";
import { setName } from "../follow/manifest.ts";
import type { ServeConfig } from "./config.ts";
import { type Resource, startFileServer } from "./file-server.ts";
import { createFileHashes, type Published, publish } from "./publish.ts";

const REFRESH = join(import.meta.dirname, "../refresh/main.ts");
const POLL_MS = 1_000;

/**
 * Starts the geo data server: it installs data and refreshes it in a process beside this one, and serves what is installed to
 * geo nodes. Ready when it has something to serve.
 * @param options.fetches whether it installs and refreshes data; false in tests that do so themselves.
 * @throws StartError if a port isn't available.
 */
export async function startGeoDataServer(config: ServeConfig, options: { fetches?: boolean; pollMs?: number } = {}) {
  const { fetches = true, pollMs = POLL_MS } = options;
  const { folder } = config;
  await using resources = new AsyncDisposableStack();
  const operations = resources.use(await openOperations("geo-data", config));
  const { log, registry, opsPort, setReady } = operations;
  const tls = resources.use(
    await openInternalTls(config.internalTls, "geo-data", { clock: systemClock, log, registry }),
  );
  let published: Published | null = null;
  let problem: string | null = null;
  const metrics = createServeMetrics(registry, () => published);
  const server = resources.use(
    await startFileServer({ ...config, tls, log, published: () => published, onResponse: metrics.responded }),
  );
  const hashes = createFileHashes();
  const look = async () => {
    const isInstalled = await readCurrent(folder).then(
      () => true,
      () => false,
    );
    if (published === null && !isInstalled) return;
    try {
      const fresh = await publish(folder, hashes);
      const isOther = fresh.manifest.version !== published?.manifest.version || problem !== null;
      published = fresh;
      problem = null;
      setReady(true);
      const { version, databases } = fresh.manifest;
      if (isOther)
        log.info({ version, set: setName(databases), databases: databases.map(({ name }) => name) }, "serving");
    } catch (error) {
      const { message } = error as Error;
      if (message !== problem) log.error({ problem: message }, "installed geo data not served");
      problem = message;
    }
    metrics.refused(problem !== null);
  };
  await look();
  resources.use(repeat(pollMs, look, log));
  log.info({ port: server.port, opsPort, folder }, "geo data server started");
  if (fetches)
    resources.use(
      startCompanion({
        script: REFRESH,
        args: ["--install-first"],
        onEnd: (how, restartSeconds) =>
          log.warn({ how, restartSeconds }, "geo data refresh ended; restarting it later"),
      }),
    );
  const running = resources.move();
  return { port: server.port, opsPort, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** Metrics of the geo data server. */
function createServeMetrics(registry: Registry, published: () => Published | null) {
  const registers = [registry];
  const info = {
    name: "geolookup_geo_data_served_info",
    help: "Always 1; the labels have the version that is served, and a part of its hash.",
  };
  exposeVersion(info, registry, () => published()?.manifest ?? null);
  const refused = new Gauge({
    name: "geolookup_geo_data_served_refused",
    help: "1 while the installed data can't be served and an older version is.",
    registers,
  });
  const responses = new Counter({
    name: "geolookup_geo_data_responses_total",
    help: "Responses to geo nodes.",
    labelNames: ["resource", "status"],
    registers,
  });
  const bytes = new Counter({
    name: "geolookup_geo_data_sent_bytes_total",
    help: "Bytes of manifests and files that were sent to geo nodes.",
    registers,
  });
  return {
    refused: (isRefused: boolean): void => refused.set(Number(isRefused)),
    responded: (resource: Resource, status: number, sent: number): void => {
      responses.inc({ resource, status });
      bytes.inc(sent);
    },
  };
}
