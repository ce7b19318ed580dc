import grpc from "@grpc/grpc-js";
import type { MethodDefinition } from "@grpc/proto-loader";
import type { Caller } from "../../domain/operators.ts";
import { ServiceError } from "../../domain/service-error.ts";
import type { Logger } from "../observability/log.ts";
import { budgeted } from "../observability/log-budget.ts";
import { MAX_BATCH } from "./limits.ts";
import { statusOf } from "./status.ts";

export type Metadata = grpc.Metadata;

/** A thrown ServiceError becomes its status, anything else INTERNAL. */
export type Handler<Request, Response> = (request: Request, metadata: Metadata) => Promise<Response> | Response;

/**
 * Returns who makes a call.
 * @param method its name in `proto/`.
 * @throws ServiceError `unauthenticated` or `forbidden`, or why that isn't known. Its message doesn't contain the received token.
 */
export type Identify = (metadata: grpc.Metadata, method: string) => Caller | Promise<Caller>;

const callers = new WeakMap<grpc.Metadata, Caller>();

/** Who makes a call, by its metadata. Only in the handlers of a service with `identify`. */
export function callerOf(metadata: Metadata): Caller {
  const caller = callers.get(metadata);
  if (!caller) throw new Error("the call's service doesn't identify callers");
  return caller;
}

/** Remembers who makes a call until it ends. */
export function setCaller(metadata: grpc.Metadata, caller: Caller): void {
  callers.set(metadata, caller);
}

/** A service of `proto/` and its implementation. */
export interface ServedService {
  definition: grpc.ServiceDefinition;
  /** By the methods' names. A method without one is UNIMPLEMENTED. */
  handlers: Readonly<Record<string, Handler<unknown, unknown>>>;
  /** Checks who makes a call, before its request is read. Default: anyone can call. */
  identify?: Identify;
  /** The longest request. Default: DEFAULT_MAX_REQUEST_BYTES. A port uses the maximum of its services. */
  maxRequestBytes?: number;
}

type MethodName<Definition> = keyof {
  [Name in keyof Definition as string extends Name ? never : number extends Name ? never : Name]: unknown;
};

type HandlerOf<Method> =
  Method extends MethodDefinition<infer _Request, infer Response, infer Request, infer _Response>
    ? Handler<Request, Response>
    : never;

/** Checks the types of handlers against their methods in `proto/`. */
export function serve<Definition extends grpc.ServiceDefinition>(
  definition: Definition,
  handlers: { [Name in MethodName<Definition>]?: HandlerOf<Definition[Name]> },
  options: Omit<ServedService, "definition" | "handlers"> = {},
): ServedService {
  // server.ts pairs handlers and methods by name, so each handler gets its own method's requests.
  return { ...options, definition, handlers } as ServedService;
}

/** @throws ServiceError `invalid` if a batch of a request has too many entries. */
export function expectBatch(entries: readonly unknown[], max = MAX_BATCH): void {
  if (entries.length > max) throw new ServiceError("invalid", `a batch may have at most ${max} entries`);
}

/**
 * A unary method for grpc-js. A thrown ServiceError becomes its status; anything else becomes INTERNAL and is logged.
 * @param method.onHandled called when a request is handled, with the time when that began (monotonic).
 */
export function unaryCall(method: {
  name: string;
  handler: Handler<unknown, unknown>;
  log: Logger;
  onHandled: (status: grpc.status, startMs: number) => void;
}): grpc.handleUnaryCall<unknown, unknown> {
  const { name, handler, log, onHandled } = method;
  const failureOf = (error: unknown) => {
    if (error instanceof ServiceError) return { code: statusOf(error.code), details: error.message };
    budgeted(log).error({ err: error, method: name }, "unexpected error in gRPC call");
    return { code: grpc.status.INTERNAL, details: "internal error; the cause is in the service's log" };
  };
  return async ({ request, metadata }, callback) => {
    const startMs = performance.now();
    let response: unknown;
    try {
      response = await handler(request, metadata);
    } catch (error) {
      const failure = failureOf(error);
      onHandled(failure.code, startMs);
      return callback(failure);
    }
    onHandled(grpc.status.OK, startMs);
    callback(null, response);
  };
}
