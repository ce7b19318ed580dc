import { DebugEvents, ErrorCode, Events, type NatsConnection, type NatsError } from "nats";
import type { Logger } from "../observability/log.ts";

/**
 * Resolves when the server leaves pings unanswered. The client itself may then wait for ever to flush what it has written.
 * What the server does not permit is logged, once: whoever asked for it fails in its own words.
 */
export async function untilSilent(connection: NatsConnection, log: Logger): Promise<void> {
  const told = new Set<string>();
  for await (const { type, permissionContext } of connection.status()) {
    if (type === DebugEvents.StaleConnection) return;
    if (type !== Events.Error || !permissionContext) continue;
    const { operation, subject } = permissionContext;
    // Of its own subjects JetStream's API has the verb and the stream in the first five words; the rest differs each time.
    const what = `${operation} ${subject.split(".", subject.startsWith("$") ? 5 : 1).join(".")}`;
    if (told.has(what)) continue;
    told.add(what);
    log.error({ operation, subject }, "NATS does not permit this to its user; see infra/nats/users.conf");
  }
}

/** Why there is no connection, with what to look at where the client's own words do not tell. */
export function whyUnconnected({ code, message }: NatsError): string {
  switch (code) {
    case ErrorCode.AuthorizationViolation:
    case ErrorCode.BadAuthentication:
      return "NATS refuses the user or the password (look at NATS_USER and NATS_PASSWORD, NATS_CREDS_FILE, or those in NATS_URL)";
    case ErrorCode.ServerOptionNotAvailable:
      return "NATS offers no TLS, which NATS_URL or NATS_CA_FILE asks for";
    default:
      return /certificate/i.test(message)
        ? `${message.trim()} (look at NATS_CA_FILE, NATS_CERT_FILE, NATS_KEY_FILE)`
        : message;
  }
}
