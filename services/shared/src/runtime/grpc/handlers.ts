import grpc from "@grpc/grpc-js";
import { ServiceError } from "../../domain/service-error.ts";
import type { Logger } from "../observability/log.ts";
import { budgeted } from "../observability/log-budget.ts";
import { type GrpcCalls, RESOURCE_EXHAUSTED } from "./calls.ts";
import type { GrpcConnection } from "./connections.ts";
import type { GrpcLimits } from "./limits.ts";
import { hasMoreEntries } from "./protobuf-count.ts";
import type { BatchBound, Handler } from "./served-service.ts";
import { statusOf } from "./status.ts";

/** Called when a request is handled. @param startMs when its handling began (monotonic). */
export type OnHandled = (status: grpc.status, startMs: number) => void;

/** A served method. Requests and responses pass through grpc-js as bytes. */
export interface ServedMethod<Request, Response> {
  name: string;
  handler: Handler<Request, Response>;
  decode: (bytes: Buffer) => Request;
  encode: (response: Response) => Buffer;
  /** Longer batches are refused before they are decoded. */
  batch: BatchBound | undefined;
  log: Logger;
  onHandled: OnHandled;
}

/** Serves a unary method. A thrown ServiceError becomes its status; anything else becomes INTERNAL and is logged. */
export function unaryCall<Request, Response>(
  method: ServedMethod<Request, Response>,
): grpc.handleUnaryCall<Buffer, Buffer> {
  return (call, callback) => {
    void (async () => {
      const startMs = performance.now();
      try {
        const response = method.encode(await method.handler(requestOf(method, call.request), call.metadata));
        method.onHandled(grpc.status.OK, startMs);
        callback(null, response);
      } catch (error) {
        const failure = failureOf(error, method);
        method.onHandled(failure.code, startMs);
        callback(failure);
      }
    })();
  };
}

/**
 * Serves a method that streams both ways: one response per request, in order. An error ends the stream with its status.
 * While a client has unread responses and its own or everyone's unread bytes exceed their limits, its requests aren't read.
 * @param open the open streams. Contains this one until it ends.
 * @param bounds.connectionOf finds the connection of a peer, as gRPC names it.
 */
export function streamedCall<Request, Response>(
  method: ServedMethod<Request, Response>,
  open: Set<{ end(): void }>,
  bounds: { calls: GrpcCalls; connectionOf: (peer: string) => GrpcConnection | undefined; limits: GrpcLimits },
): grpc.handleBidiStreamingCall<Buffer, Buffer> {
  const { calls, limits } = bounds;
  return (call) => {
    const connection = bounds.connectionOf(call.getPeer());
    const leave = calls.enterStream(connection);
    if (!leave) {
      call.emit("error", RESOURCE_EXHAUSTED);
      return;
    }
    open.add(call);
    let unsentBytes = 0;
    let resume = () => {};
    /** A client that has read everything is served, no matter how much others leave unread. */
    const mayContinue = () =>
      unsentBytes === 0 || (unsentBytes <= limits.maxUnsentBytesPerStream && !calls.hasTooMuchUnsent(connection));
    const sent = (bytes: number) => {
      unsentBytes += bytes;
      calls.sent(connection, bytes);
      if (mayContinue()) resume();
    };
    for (const event of ["finish", "close"])
      call.on(event, () => {
        open.delete(call);
        leave();
      });
    call.on("close", () => {
      sent(-unsentBytes);
      resume();
    });
    void (async () => {
      let failure: { code: grpc.status; details: string } | undefined;
      try {
        for await (const bytes of call.iterator({ destroyOnReturn: false })) {
          const startMs = performance.now();
          if (connection) connection.requestBytes += bytes.length;
          try {
            const response = method.encode(await method.handler(requestOf(method, bytes), call.metadata));
            method.onHandled(grpc.status.OK, startMs);
            if (!call.writable) continue;
            const { length } = response;
            sent(length);
            // gRPC has copied the response: the callback must not keep it in memory.
            call.write(response, () => sent(-Math.min(length, unsentBytes)));
          } catch (error) {
            failure = failureOf(error, method);
            method.onHandled(failure.code, startMs);
            break;
          }
          if (!mayContinue())
            await new Promise<void>((resolve) => {
              resume = resolve;
            });
        }
      } catch (error) {
        // A canceled stream isn't an error: the client has disconnected.
        if (!call.cancelled) budgeted(method.log).error({ err: error, method: method.name }, "gRPC stream failed");
      }
      // In the loop, this would destroy the call before its status is sent.
      if (failure) call.emit("error", failure);
      else call.end();
    })();
  };
}

function requestOf<Request>(
  { batch, decode }: Pick<ServedMethod<Request, unknown>, "batch" | "decode">,
  bytes: Buffer,
): Request {
  if (batch && hasMoreEntries(bytes, batch.field, batch.max))
    throw new ServiceError("invalid", `a batch may have at most ${batch.max} entries`);
  try {
    return decode(bytes);
  } catch (error) {
    throw new ServiceError("invalid", "the request isn't a valid message of this method", { cause: error });
  }
}

function failureOf(
  error: unknown,
  { name, log }: { name: string; log: Logger },
): { code: grpc.status; details: string } {
  if (error instanceof ServiceError) return { code: statusOf(error.code), details: error.message };
  budgeted(log).error({ err: error, method: name }, "unexpected error in gRPC call");
  return { code: grpc.status.INTERNAL, details: "internal error; the cause is in the service's log" };
}
