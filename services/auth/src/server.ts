import { type Clock, systemClock } from "@geolookup/shared/domain/clock.ts";
import type { KeyUsage } from "@geolookup/shared/domain/usage.ts";
import { openJetStreamAuditLog } from "@geolookup/shared/logs/audit/jet-stream.ts";
import { openJetStreamKeyLog } from "@geolookup/shared/logs/keys/jetstream/key-log.ts";
import { openJetStreamOperatorLog } from "@geolookup/shared/logs/operators/jet-stream.ts";
import { securePeer } from "@geolookup/shared/runtime/grpc/client.ts";
import { startGrpcServer } from "@geolookup/shared/runtime/grpc/server.ts";
import { type NatsLink, openNats } from "@geolookup/shared/runtime/nats/connection.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { openOperations } from "@geolookup/shared/runtime/service/operations.ts";
import { openInternalTls } from "@geolookup/shared/runtime/tls/internal-tls.ts";
import type { Registry } from "@prometheus-io/client";
import { type OpenedAuth, openAuth, openAuthOn } from "./auth.ts";
import type { AuthConfig } from "./config.ts";
import { streamRecords } from "./idempotency/records.ts";
import { connectKeyUsage } from "./key-usage.ts";
import { whatShowsLoss } from "./keys/mark/cluster-witnesses.ts";
import { markFileIn } from "./keys/mark/mark-file.ts";
import { adminServices } from "./rpc/admin-services.ts";
import { authService } from "./rpc/auth-rpc.ts";

/**
 * Starts auth as a separate process. The ops port is open when this resolves. The gRPC port opens when every key is
 * loaded. In a cluster, that waits until NATS is available.
 * @returns `ready` rejects when auth can't become ready. Unless it was closed, that ends the process.
 * @throws StartError when the ops port isn't available.
 */
export async function startAuth(
  config: AuthConfig,
): Promise<{ opsPort: number; ready: Promise<{ port: number }> } & AsyncDisposable> {
  const { host } = config;
  await using opened = new AsyncDisposableStack();
  const operations = opened.use(await openOperations("auth", config));
  const { log, registry, opsPort, setReady } = operations;
  const surroundings = { clock: systemClock, log, registry };
  const tls = opened.use(await openInternalTls(config.internalTls, "auth", surroundings));
  const { usageUrl } = config;
  if (usageUrl === null) log.warn("USAGE_URL is not set, so auth doesn't know which keys are used");
  const keyUsage = usageUrl === null ? null : opened.use(connectKeyUsage(usageUrl, securePeer(tls, "usage")));
  const context = { ...surroundings, keyUsage };
  const nats =
    config.stores === "embedded"
      ? null
      : opened.use(openNats({ url: config.natsUrl, access: config.natsAccess, name: "auth", log, registry }));

  const serve = async () => {
    await using serving = new AsyncDisposableStack();
    const auth = serving.use(await openOnStores(config, nats, context));
    const grpc = serving.use(
      await startGrpcServer({
        host,
        port: config.port,
        services: [authService({ ...auth, log }), ...adminServices(auth, config.adminToken)],
        log,
        tls,
        registry,
      }),
    );
    serving.defer(() => {
      setReady(false);
      grpc.setServing(false);
    });
    if (held.disposed) throw new Error("the service is stopping");
    held.use(serving.move());
    setReady(true);
    grpc.setServing(true);
    log.info({ port: grpc.port, opsPort }, "ready");
    return { port: grpc.port };
  };
  const held = opened.move();
  const ready = serve();
  ready.catch((error: unknown) => {
    // Rethrowing ends the process with this message. After a close, the error is expected.
    if (!held.disposed) throw error;
  });
  return { opsPort, ready, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

function openOnStores(
  config: AuthConfig,
  nats: NatsLink | null,
  context: { log: Logger; registry: Registry; clock: Clock; keyUsage: KeyUsage | null },
): Promise<OpenedAuth> {
  const { dataDir, plansFile, signingKeysFile, natsReplicas: replicas, auditRetentionMs } = config;
  const printAudit = config.printsAudit ? (line: string) => void process.stdout.write(line) : null;
  if (!nats) return openAuth({ dataDir, plansFile, signingKeysFile, auditRetentionMs, printAudit, ...context });
  return openAuthOn({
    plansFile,
    signingKeysFile: signingKeysFile ?? "",
    sharesSigningKeys: true,
    printAudit,
    markFile: markFileIn(dataDir),
    nats,
    openAuditLog: async () => openJetStreamAuditLog(nats),
    openOperatorLog: async () => openJetStreamOperatorLog({ nats, replicas, ...context }),
    records: streamRecords(nats, replicas),
    openKeyLog: (own) =>
      openJetStreamKeyLog({
        ...{ nats, replicas, ...context },
        check: (found, connection) => whatShowsLoss(found, connection, { own, ...context }),
      }),
    ...context,
  });
}
