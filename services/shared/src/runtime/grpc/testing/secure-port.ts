import { Registry } from "@prometheus-io/client";
import { pino } from "pino";
import { systemClock } from "../../../domain/clock.ts";
import type { Identity } from "../../tls/identities.ts";
import { openInternalTls } from "../../tls/internal-tls.ts";
import type { InternalTlsSettings } from "../../tls/settings.ts";
import { type LogLine, settingsOf } from "../../tls/testing/internal-certificates.ts";
import type { GrpcLimits } from "../limits.ts";
import type { ServedService } from "../served-service.ts";
import { startGrpcServer } from "../server.ts";

/** A gRPC port with internal TLS, and what it logs. */
export async function startSecurePort(
  own: Identity,
  services: readonly ServedService[],
  options: { settings?: InternalTlsSettings; limits?: Partial<GrpcLimits>; pollIntervalMs?: number } = {},
) {
  const { settings = settingsOf(own), limits = {}, ...polling } = options;
  await using opened = new AsyncDisposableStack();
  const lines: LogLine[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const registry = new Registry();
  const tls = opened.use(await openInternalTls(settings, own, { clock: systemClock, log, registry, ...polling }));
  const server = opened.use(
    await startGrpcServer({ host: "127.0.0.1", port: 0, services, log, tls, registry, limits }),
  );
  server.setServing(true);
  const held = opened.move();
  return { port: server.port, lines, registry, [Symbol.asyncDispose]: () => held.disposeAsync() };
}
