import { setTimeout } from "node:timers/promises";
import { openLocator } from "@geolookup/geo/locator.ts";
import { lockFolder } from "@geolookup/shared/runtime/files/folder-lock.ts";
import { checkPortIsFree } from "@geolookup/shared/runtime/http/listen.ts";
import { openOperations } from "@geolookup/shared/runtime/service/operations.ts";
import type { StandaloneConfig } from "./config.ts";

const PAUSE_MS = 10;

/**
 * Starts every service in one process, on embedded stores in `dataDir`.
 * @param stopping aborts the start.
 * @throws StartError
 */
export async function startStandalone(config: StandaloneConfig, stopping?: AbortSignal): Promise<AsyncDisposable> {
  const { dataDir, databases, geofeeds, acceptsLoss } = config;
  await using opened = new AsyncDisposableStack();
  opened.use(lockFolder(dataDir));
  // Early, so that a first start that can't listen creates no keys.
  await checkPortIsFree({ ...config.publicPort, setting: "PORT" });
  const operations = opened.use(await openOperations("geolookup", { ...config, ...config.publicPort }));
  const { log, registry } = operations;
  const [locator, openServices] = await Promise.all([
    openLocator({ databases, geofeeds, acceptsLoss, stopping, log, registry }).then((open) => opened.use(open)),
    loadServices(),
  ]);
  opened.use(await openServices(config, operations, locator));
  return opened.move();
}

/**
 * Loads the other services while other threads read and check the databases. Loading blocks this thread, so it is
 * done in parts. In the pauses, this thread finds the databases, and hands them to the other threads.
 */
async function loadServices() {
  await setTimeout(PAUSE_MS);
  await import("@geolookup/gateway/public-port.ts");
  await setTimeout(PAUSE_MS);
  await import("@geolookup/shared/runtime/grpc/server.ts");
  await setTimeout(PAUSE_MS);
  await import("@geolookup/portal/server.ts");
  await setTimeout(PAUSE_MS);
  return (await import("./services.ts")).openServices;
}
