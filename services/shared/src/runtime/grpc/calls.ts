import { createHash, timingSafeEqual } from "node:crypto";
import grpc from "@grpc/grpc-js";
import { ServiceError } from "../../domain/service-error.ts";
import type { Logger } from "../observability/log.ts";
import { budgetedLine, CHANGES } from "../observability/log-budget.ts";
import { mayCall } from "../tls/allowed-callers.ts";
import type { GrpcConnection } from "./connections.ts";
import type { GrpcLimits } from "./limits.ts";

export type CallRefusal = "calls" | "calls_of_address" | "unauthenticated" | "permission_denied";

/** Why a call ends before its handler runs, and its status. */
interface Refusal {
  reason: CallRefusal;
  status: { code: grpc.status; details: string };
}

/**
 * Limits open calls, and refuses calls from clients that may not call the service or lack the admin token, before their request is read.
 * @param options.tokenOf returns the admin token that a method needs, by its path; undefined: none.
 * @param options.checksCallers whether clients' certificates must permit the call (identities.ts).
 * @param options.onRefused called for each refusal.
 */
export function limitCalls(options: {
  limits: GrpcLimits;
  log: Logger;
  find: (remoteAddress?: string, remotePort?: number) => GrpcConnection | undefined;
  tokenOf: (path: string) => string | undefined;
  checksCallers: boolean;
  onRefused: (reason: CallRefusal) => void;
}): grpc.ServerInterceptor {
  const { limits, find, tokenOf, checksCallers, onRefused } = options;
  const logDenied = budgetedLine(
    options.log,
    "warn",
    "gRPC call refused: the client's certificate doesn't permit it",
    CHANGES,
  );
  let openCalls = 0;

  const callerProblem = (path: string, connection: GrpcConnection | undefined): Refusal | null => {
    const [, service = ""] = path.split("/");
    const callers = connection?.callers ?? [];
    if (!checksCallers || mayCall(callers, service)) return null;
    const caller = callers.join(", ") || "none of this deployment's services";
    logDenied({ service, caller }, `${caller} to ${service}`);
    const details = `the client's certificate is for ${caller}, which may not call ${service}`;
    return { reason: "permission_denied", status: { code: grpc.status.PERMISSION_DENIED, details } };
  };
  const capacityProblem = (connection: GrpcConnection | undefined): Refusal | null => {
    if (openCalls >= limits.maxCalls) return { reason: "calls", status: RESOURCE_EXHAUSTED };
    const isFull = connection && connection.client.openCalls >= limits.maxCallsPerAddress;
    return isFull ? { reason: "calls_of_address", status: RESOURCE_EXHAUSTED } : null;
  };
  const enter = (connection: GrpcConnection | undefined) => {
    const add = (calls: number) => {
      openCalls += calls;
      if (connection) connection.client.openCalls += calls;
    };
    add(1);
    return () => add(-1);
  };
  return ({ path }, call) => {
    const { remoteAddress, remotePort } = call.getConnectionInfo();
    const connection = find(remoteAddress, remotePort);
    let leave = () => {};
    const listener: grpc.ServerListener = {
      onReceiveMetadata: (metadata, pass) => {
        const problem =
          callerProblem(path, connection) ?? tokenProblem(metadata, tokenOf(path)) ?? capacityProblem(connection);
        if (problem) {
          onRefused(problem.reason);
          call.sendStatus(problem.status);
          return;
        }
        leave = enter(connection);
        pass(metadata);
      },
      // Every call ends with it.
      onCancel: () => {
        leave();
        leave = () => {};
      },
    };
    return new grpc.ServerInterceptingCall(call, { start: (next) => next(listener) });
  };
}

const RESOURCE_EXHAUSTED = {
  code: grpc.status.RESOURCE_EXHAUSTED,
  details: "this service has too many open calls; try again later",
};

function tokenProblem(metadata: grpc.Metadata, token: string | undefined): Refusal | null {
  if (token === undefined) return null;
  try {
    requireAdminToken(metadata, token);
    return null;
  } catch (error) {
    const details = (error as Error).message;
    return { reason: "unauthenticated", status: { code: grpc.status.UNAUTHENTICATED, details } };
  }
}

/**
 * Checks that a call has the metadata `authorization: Bearer <token>`, in constant time.
 * @throws ServiceError `unauthenticated`. Its message doesn't contain the received token.
 */
export function requireAdminToken(metadata: grpc.Metadata, token: string): void {
  const sent = String(metadata.get("authorization")[0] ?? "");
  const bearer = /^bearer +(.*)$/i.exec(sent);
  if (!bearer)
    throw new ServiceError("unauthenticated", "the admin token is missing; send it as `authorization: Bearer <token>`");
  if (!timingSafeEqual(sha256(bearer[1] ?? ""), sha256(token)))
    throw new ServiceError("unauthenticated", "the admin token doesn't match the service's ADMIN_TOKEN");
}

const sha256 = (text: string) => createHash("sha256").update(text).digest();
