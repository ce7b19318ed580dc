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

/** What is told of each question that was answered, and when its turn had come (monotonic milliseconds). */
export type Answered = (status: grpc.status, startMs: number) => void;

/** A served method. Requests and responses pass through grpc-js as bytes. */
export interface ServedMethod<Request, Response> {
  name: string;
  handler: Handler<Request, Response>;
  decode: (bytes: Buffer) => Request;
  encode: (response: Response) => Buffer;
  /** Longer batches are refused before they are decoded. */
  batch: BatchBound | undefined;
  log: Logger;
  answered: Answered;
}

/** Serves a unary method: a ServiceError thrown becomes its status, anything else INTERNAL, and is logged. */
export function unaryCall<Request, Response>(
  method: ServedMethod<Request, Response>,
): grpc.handleUnaryCall<Buffer, Buffer> {
  return (call, callback) => {
    void (async () => {
      const startMs = performance.now();
      try {
        const response = method.encode(await method.handler(requestOf(method, call.request), call.metadata));
        method.answered(grpc.status.OK, startMs);
        callback(null, response);
      } catch (error) {
        const failure = failureOf(error, method);
        method.answered(failure.code, startMs);
        callback(failure);
      }
    })();
  };
}

/**
 * Serves a method with a stream of questions and a stream of answers: one for each, in their order. An error ends the
 * call with its status. While a client leaves answers unread and they, or those of all clients, are too many, its next
 * questions aren't read either.
 * @param open those that have not ended; the call is in it for as long.
 * @param bounds.connectionOf the connection of a peer, as gRPC names it.
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
    /** A stream whose client has read everything goes on, however much others leave unread. */
    const mayGoOn = () =>
      unsentBytes === 0 || (unsentBytes <= limits.maxUnsentBytesPerStream && !calls.hasTooMuchUnsent(connection));
    const sent = (bytes: number) => {
      unsentBytes += bytes;
      calls.sent(connection, bytes);
      if (mayGoOn()) resume();
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
            method.answered(grpc.status.OK, startMs);
            if (!call.writable) continue;
            const { length } = response;
            sent(length);
            // Doesn't hold the response: gRPC has made a copy of it.
            call.write(response, () => sent(-Math.min(length, unsentBytes)));
          } catch (error) {
            failure = failureOf(error, method);
            method.answered(failure.code, startMs);
            break;
          }
          if (!mayGoOn())
            await new Promise<void>((resolve) => {
              resume = resolve;
            });
        }
      } catch (error) {
        // Else whoever asked has gone.
        if (!call.cancelled) budgeted(method.log).error({ err: error, method: method.name }, "gRPC stream broken off");
      }
      // Within the loop it would destroy the call before its status has left.
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
  budgeted(log).error({ err: error, method: name }, "an unexpected error in a gRPC call");
  return { code: grpc.status.INTERNAL, details: "internal error; the cause is in the service's log" };
}
