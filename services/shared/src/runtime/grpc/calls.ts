import { createHash, timingSafeEqual } from "node:crypto";
import grpc from "@grpc/grpc-js";
import { ADMIN, type Caller } from "../../domain/operators.ts";
import { ServiceError } from "../../domain/service-error.ts";
import type { Logger } from "../observability/log.ts";
import { budgeted, budgetedLine, CHANGES } from "../observability/log-budget.ts";
import { mayCall } from "../tls/allowed-callers.ts";
import type { GrpcConnection } from "./connections.ts";
import type { GrpcLimits } from "./limits.ts";
import { type Identify, setCaller } from "./served-service.ts";
import { statusOf } from "./status.ts";

export type CallRefusal = "calls" | "calls_of_address" | "unauthenticated" | "permission_denied" | "unavailable";

/** Why a call ends before its handler runs, and its status. */
interface Refusal {
  reason: CallRefusal;
  status: { code: grpc.status; details: string };
}

/**
 * Limits open calls, and refuses calls from clients that may not call the service or the method, before their request is read.
 * @param options.identifyOf returns how a method identifies its callers, by its path; undefined: anyone can call it.
 * @param options.checksCallers whether clients' certificates must permit the call (identities.ts).
 * @param options.onRefused called for each refusal.
 */
export function limitCalls(options: {
  limits: GrpcLimits;
  log: Logger;
  find: (remoteAddress?: string, remotePort?: number) => GrpcConnection | undefined;
  identifyOf: (path: string) => ((metadata: grpc.Metadata) => Caller | Promise<Caller>) | undefined;
  checksCallers: boolean;
  onRefused: (reason: CallRefusal) => void;
}): grpc.ServerInterceptor {
  const { limits, find, identifyOf, checksCallers, onRefused } = options;
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
    const refuse = ({ reason, status }: Refusal) => {
      onRefused(reason);
      call.sendStatus(status);
    };
    const listener: grpc.ServerListener = {
      onReceiveMetadata: async (metadata, pass) => {
        const problem = callerProblem(path, connection) ?? capacityProblem(connection);
        if (problem) return refuse(problem);
        // Before the first await: the call may end meanwhile.
        leave = enter(connection);
        const identify = identifyOf(path);
        if (!identify) return pass(metadata);
        try {
          setCaller(metadata, await identify(metadata));
        } catch (error) {
          return refuse(refusalOf(error, options.log));
        }
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

/** Why a call's caller wasn't identified. */
function refusalOf(error: unknown, log: Logger): Refusal {
  if (!(error instanceof ServiceError)) {
    budgeted(log).error({ err: error }, "unexpected error while a gRPC caller was identified");
    return { reason: "unavailable", status: { code: grpc.status.INTERNAL, details: "internal error" } };
  }
  const { code, message: details } = error;
  const reason =
    code === "unauthenticated" ? "unauthenticated" : code === "forbidden" ? "permission_denied" : "unavailable";
  return { reason, status: { code: statusOf(code), details } };
}

/** Identifies callers by the admin token alone. */
export function adminOnly(adminToken: string): Identify {
  return (metadata) => {
    requireAdminToken(tokenOf(metadata, /^bearer +(.*)$/i), adminToken);
    return { name: ADMIN, role: "admin" };
  };
}

/** The token that a call presents. @param scheme with the token as its group. @throws ServiceError `unauthenticated` */
export function tokenOf(metadata: grpc.Metadata, scheme: RegExp): string {
  const sent = scheme.exec(String(metadata.get("authorization")[0] ?? ""));
  if (sent) return sent[1] ?? "";
  throw new ServiceError("unauthenticated", "the admin token is missing; send it as `authorization: Bearer <token>`");
}

/** Compares hashes, in constant time. */
export function isAdminToken(token: string, adminToken: string): boolean {
  return timingSafeEqual(sha256(token), sha256(adminToken));
}

/** @throws ServiceError `unauthenticated` */
function requireAdminToken(token: string, adminToken: string): void {
  if (!isAdminToken(token, adminToken))
    throw new ServiceError("unauthenticated", "the admin token doesn't match the service's ADMIN_TOKEN");
}

const sha256 = (text: string) => createHash("sha256").update(text).digest();
