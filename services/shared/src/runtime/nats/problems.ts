import { JetStreamApiError, JetStreamError } from "@nats-io/jetstream";
import {
  AuthorizationError,
  errors,
  type NatsConnection,
  NoRespondersError,
  PermissionViolationError,
  TimeoutError,
} from "@nats-io/transport-node";
import type { Logger } from "../observability/log.ts";
import { apiErrorOf, NoQuorum } from "./stream.ts";

/** Where a service in an account of its own finds the API of the streams (infra/nats/accounts.conf). */
export const IMPORTED_API = "geolookup.api";
/** For a request that shows whether the account has it. */
export const API_PROBE = `${IMPORTED_API}.INFO`;

/** The client's errors. Those of a request have the actual one as their cause. */
const NATS_ERRORS = [...Object.values(errors), JetStreamApiError, JetStreamError];

/**
 * Resolves when the server stops responding to pings; the client itself may then wait forever to flush its writes. Until then, logs
 * each missing permission once; the request that needed it fails separately.
 */
export async function untilSilent(connection: NatsConnection, log: Logger): Promise<void> {
  const logged = new Set<string>();
  for await (const status of connection.status()) {
    if (status.type === "staleConnection") return;
    if (status.type !== "error" || !(status.error instanceof PermissionViolationError)) continue;
    const { operation, subject } = status.error;
    if (subject === API_PROBE) continue;
    // In subjects of JetStream's API, the verb and the stream are in the first five tokens; the others vary.
    const what = `${operation} ${subject.split(".", subject.startsWith("$") ? 5 : 1).join(".")}`;
    if (logged.has(what)) continue;
    logged.add(what);
    log.error({ operation, subject }, "NATS permission denied; see infra/nats/accounts.conf");
  }
}

/** Why connecting failed, with the settings to check. */
export function connectFailure(error: Error): string {
  if (error instanceof AuthorizationError)
    return "NATS rejected the user or password (check NATS_USER and NATS_PASSWORD, NATS_CREDS_FILE, or those in NATS_URL)";
  const message = error.message.trim();
  if (message === "server does not support 'tls'")
    return "NATS doesn't offer TLS, which NATS_URL or NATS_CA_FILE requires";
  return /certificate/i.test(message) ? `${message} (check NATS_CA_FILE, NATS_CERT_FILE, NATS_KEY_FILE)` : message;
}

/** A description of a failed NATS request for the operator; null for any other error. */
export function describeNatsError(error: unknown): string | null {
  if (isWithoutResponder(error)) return "JetStream is not enabled on the NATS server, or not ready; try again";
  if (error instanceof TimeoutError) return "NATS did not respond in time; try again";
  return NATS_ERRORS.some((kind) => error instanceof kind) ? `NATS: ${(error as Error).message}; try again` : null;
}

/** The status of JetStream's temporary refusals: no leader yet, no quorum, still starting. */
const UNAVAILABLE = 503;

/** Whether an error says that JetStream couldn't do what it was asked: it didn't respond, or isn't available on this server. */
export function isUnanswered(error: unknown): boolean {
  return causesOf(error).some(
    (cause) =>
      cause instanceof TimeoutError ||
      cause instanceof NoRespondersError ||
      cause instanceof NoQuorum ||
      apiErrorOf(cause)?.code === UNAVAILABLE,
  );
}

/** Whether an error says that the server doesn't permit a request. */
export function isPermissionDenied(error: unknown): boolean {
  return causesOf(error).some((cause) => cause instanceof PermissionViolationError);
}

/** Whether nothing responds to a request: its subject isn't imported, or JetStream isn't running. */
export function isWithoutResponder(error: unknown): boolean {
  return causesOf(error).some((cause) => cause instanceof NoRespondersError);
}

/** An error, its cause, and so on. */
function causesOf(error: unknown): unknown[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}
