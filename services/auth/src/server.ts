import { systemClock } from "@geolookup/shared/runtime/clock.ts";
import { startGrpcServer } from "@geolookup/shared/runtime/grpc-server.ts";
import { createLog } from "@geolookup/shared/runtime/log.ts";
import { startOpsServer } from "@geolookup/shared/runtime/ops-server.ts";
import { collectDefaultMetrics, Registry } from "prom-client";
import { openAuth } from "./auth.ts";
import { authService } from "./auth-rpc.ts";
import type { AuthConfig } from "./config.ts";
import { keyAdminService } from "./key-admin-rpc.ts";

/**
 * Auth as a process of its own. The ops port opens first and is not ready until every key is known.
 * @returns the ports that are open.
 * @throws StartError
 */
export async function startAuth(
  config: AuthConfig,
): Promise<{ port: number; opsPort: number; close(): Promise<void> }> {
  const log = createLog("auth", config.logLevel);
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const { host, dataDir, plansFile, signingKeysFile } = config;
  let ready = false;
  await using opened = new AsyncDisposableStack();
  const ops = opened.adopt(
    await startOpsServer({ host, port: config.opsPort, registry, ready: () => ready }),
    (server) => server.close(),
  );
  const auth = opened.adopt(
    await openAuth({ dataDir, plansFile, signingKeysFile, log, registry, clock: systemClock }),
    (auth) => auth.close(),
  );
  const grpc = opened.adopt(
    await startGrpcServer({
      address: `${host.includes(":") ? `[${host}]` : host}:${config.port}`,
      services: [authService(auth.authorizer, log), keyAdminService(auth.admin, config.adminToken)],
      log,
    }),
    (server) => server.close(),
  );
  opened.defer(() => {
    ready = false;
    grpc.setServing(false);
  });
  ready = true;
  grpc.setServing(true);
  log.info({ port: grpc.port, opsPort: ops.port }, "ready");
  const held = opened.move();
  return { port: grpc.port, opsPort: ops.port, close: () => held.disposeAsync() };
}
