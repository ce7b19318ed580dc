import { DebugEvents, ErrorCode, Events, type NatsConnection, NatsError } from "nats";
import type { Logger } from "../observability/log.ts";

/**
 * Resolves when the server stops responding to pings; the client itself may then wait forever to flush its writes. Until then, logs
 * each missing permission once; the request that needed it fails separately.
 */
export async function untilSilent(connection: NatsConnection, log: Logger): Promise<void> {
  const logged = new Set<string>();
  for await (const { type, permissionContext } of connection.status()) {
    if (type === DebugEvents.StaleConnection) return;
    if (type !== Events.Error || !permissionContext) continue;
    const { operation, subject } = permissionContext;
    // In subjects of JetStream's API, the verb and the stream are in the first five tokens; the others vary.
    const what = `${operation} ${subject.split(".", subject.startsWith("$") ? 5 : 1).join(".")}`;
    if (logged.has(what)) continue;
    logged.add(what);
    log.error({ operation, subject }, "NATS permission denied; see infra/nats/users.conf");
  }
}

/** Why connecting failed, with the settings to check. */
export function connectFailure({ code, message }: NatsError): string {
  switch (code) {
    case ErrorCode.AuthorizationViolation:
    case ErrorCode.BadAuthentication:
      return "NATS rejected the user or password (check NATS_USER and NATS_PASSWORD, NATS_CREDS_FILE, or those in NATS_URL)";
    case ErrorCode.ServerOptionNotAvailable:
      return "NATS doesn't offer TLS, which NATS_URL or NATS_CA_FILE requires";
    default:
      return /certificate/i.test(message)
        ? `${message.trim()} (check NATS_CA_FILE, NATS_CERT_FILE, NATS_KEY_FILE)`
        : message;
  }
}

/** A description of a failed NATS request for the operator; null for any other error. */
export function describeNatsError(error: unknown): string | null {
  if (!(error instanceof NatsError)) return null;
  if (error.code === ErrorCode.Timeout) return "NATS did not respond in time; try again";
  if (error.code === ErrorCode.NoResponders || error.code === ErrorCode.JetStreamNotEnabled)
    return "JetStream is not enabled on the NATS server, or not ready; try again";
  return `NATS: ${error.message}; try again`;
}

/** Whether an error says that the server doesn't permit a request. */
export function isPermissionDenied(error: unknown): boolean {
  return error instanceof NatsError && error.code === ErrorCode.PermissionsViolation;
}
