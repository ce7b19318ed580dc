import grpc from "@grpc/grpc-js";
import { ServiceError } from "../../domain/service-error.ts";
import type { Logger } from "../observability/log.ts";
import { budgetedLine, CHANGES } from "../observability/log-budget.ts";
import { mayCall } from "../tls/allowed-callers.ts";
import { requireAdminToken } from "./admin-token.ts";
import type { GrpcConnection, GrpcConnections } from "./connections.ts";
import type { GrpcLimits } from "./limits.ts";

const SWEEP_INTERVAL_MS = 1_000;
const PERMISSION_DENIED_MESSAGE = "gRPC call refused: the client's certificate doesn't permit it";

export type CallRefusal =
  | "calls"
  | "calls_of_address"
  | "unsent_responses"
  | "request_timeout"
  | "unauthenticated"
  | "permission_denied";

/** Why a call ends before its handler runs, and its status. */
interface Refusal {
  reason: CallRefusal;
  status: { code: grpc.status; details: string };
}

/** The open calls of a gRPC port. */
export interface GrpcCalls extends Disposable {
  /** Bounds and counts calls. */
  readonly interceptor: grpc.ServerInterceptor;
}

/**
 * Limits calls, and refuses calls from clients that may not call the service or lack the admin token, before their request is read.
 * @param options.tokenOf returns the admin token that a method needs, by its path; undefined: none.
 * @param options.checksCallers whether clients' certificates must permit the call (allowed-callers.ts).
 * @param options.onRefused called for each refusal.
 */
export function createGrpcCalls(options: {
  limits: GrpcLimits;
  log: Logger;
  find: GrpcConnections["find"];
  tokenOf: (path: string) => string | undefined;
  checksCallers: boolean;
  onRefused: (reason: CallRefusal) => void;
}): GrpcCalls {
  const { limits, log, find, tokenOf, checksCallers, onRefused } = options;
  const logDenied = budgetedLine(log, "warn", PERMISSION_DENIED_MESSAGE, CHANGES);
  let openCalls = 0;
  let unsentBytes = 0;
  /** Calls waiting for their request: a function that ends the call, and its start (monotonic). Oldest first. */
  const unread = new Map<() => void, number>();

  const capacityProblem = (connection: GrpcConnection | undefined): Refusal | null => {
    if (openCalls >= limits.maxCalls) return exhausted("calls");
    if (connection && connection.client.openCalls >= limits.maxCallsPerAddress) return exhausted("calls_of_address");
    return null;
  };
  const enter = (connection: GrpcConnection | undefined) => {
    openCalls += 1;
    if (connection) {
      connection.openCalls += 1;
      connection.client.openCalls += 1;
    }
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      openCalls -= 1;
      if (connection) {
        connection.openCalls -= 1;
        connection.client.openCalls -= 1;
      }
    };
  };
  /** Counts the bytes of a response: positive when it is written, negative when it is read. */
  const sent = (connection: GrpcConnection | undefined, bytes: number) => {
    unsentBytes += bytes;
    if (connection) connection.unsentBytes += bytes;
  };
  const hasTooMuchUnsent = (connection: GrpcConnection | undefined) =>
    (connection?.unsentBytes ?? 0) >= limits.maxUnsentBytesPerConnection || unsentBytes >= limits.maxUnsentBytes;
  const tokenProblem = (metadata: grpc.Metadata, token: string | undefined): Refusal | null => {
    if (token === undefined) return null;
    try {
      requireAdminToken(metadata, token);
      return null;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { reason: "unauthenticated", status: { code: grpc.status.UNAUTHENTICATED, details: error.message } };
    }
  };

  const callerProblem = (path: string, connection: GrpcConnection | undefined): Refusal | null => {
    const [, service = ""] = path.split("/");
    const callers = connection?.callers ?? [];
    if (!checksCallers || mayCall(callers, service)) return null;
    const caller = callers.join(", ") || "none of this deployment's services";
    logDenied({ service, caller }, `${caller} to ${service}`);
    const details = `the client's certificate is for ${caller}, which may not call ${service}`;
    return { reason: "permission_denied", status: { code: grpc.status.PERMISSION_DENIED, details } };
  };

  const interceptor: grpc.ServerInterceptor = (method, call) => {
    const { remoteAddress, remotePort } = call.getConnectionInfo();
    const connection = find(remoteAddress, remotePort);
    if (connection) connection.calls += 1;
    const denied = callerProblem(method.path, connection);
    if (denied) {
      onRefused(denied.reason);
      connection?.refused();
      return refusingCall(call, denied.status);
    }
    let leave = () => {};
    let responseBytes = 0;
    const refuse = ({ reason, status }: Refusal) => {
      onRefused(reason);
      unread.delete(timeOut);
      call.sendStatus(status);
      if (reason === "unauthenticated") connection?.refused();
    };
    const timeOut = () => refuse({ ...exhausted("request_timeout"), status: REQUEST_TIMEOUT });
    return new grpc.ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, pass) => {
            const problem = tokenProblem(metadata, tokenOf(method.path)) ?? capacityProblem(connection);
            if (problem) return refuse(problem);
            leave = enter(connection);
            unread.set(timeOut, performance.now());
            pass(metadata);
          },
          onReceiveMessage: (message, pass) => {
            unread.delete(timeOut);
            if (connection && Buffer.isBuffer(message)) connection.requestBytes += message.length;
            if (hasTooMuchUnsent(connection)) return refuse(exhausted("unsent_responses"));
            pass(message);
          },
          onCancel: () => {
            unread.delete(timeOut);
            sent(connection, -responseBytes);
            responseBytes = 0;
            leave();
          },
        }),
      sendMessage: (message, next) => {
        if (Buffer.isBuffer(message)) {
          responseBytes = message.length;
          sent(connection, responseBytes);
        }
        next(message);
      },
    });
  };

  const sweeping = setInterval(() => {
    const overdueFromMs = performance.now() - limits.requestTimeoutMs;
    for (const [timeOut, beganMs] of unread) {
      if (beganMs > overdueFromMs) return;
      timeOut();
    }
  }, SWEEP_INTERVAL_MS);
  sweeping.unref();

  return {
    interceptor,
    [Symbol.dispose]: () => clearInterval(sweeping),
  };
}

/** Ends a call once its metadata has arrived. */
function refusingCall(call: grpc.ServerInterceptingCallInterface, status: Refusal["status"]) {
  return new grpc.ServerInterceptingCall(call, {
    start: (next) => next({ onReceiveMetadata: () => call.sendStatus(status) }),
  });
}

const REQUEST_TIMEOUT = { code: grpc.status.DEADLINE_EXCEEDED, details: "the request did not arrive in time" };

function exhausted(reason: CallRefusal): Refusal {
  return { reason, status: RESOURCE_EXHAUSTED };
}

/** The status of a call refused for lack of capacity. */
const RESOURCE_EXHAUSTED = {
  code: grpc.status.RESOURCE_EXHAUSTED,
  details: "this service has too many open calls or unread responses; try again later",
};
