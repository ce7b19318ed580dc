import grpc from "@grpc/grpc-js";
import { ServiceError } from "../domain/service-error.ts";
import { statusOf } from "./grpc-status.ts";
import type { Logger } from "./log.ts";

export type Handler = (request: never, metadata: grpc.Metadata) => Promise<unknown> | unknown;

/** What is told of each question that was answered, and when its turn had come (monotonic milliseconds). */
export type Answered = (status: grpc.status, startMs: number) => void;

/** Serves a unary method: a ServiceError thrown becomes its status, anything else INTERNAL, and is logged. */
export function unaryCall(
  name: string,
  handler: Handler,
  log: Logger,
  answered: Answered,
): grpc.handleUnaryCall<never, unknown> {
  return (call, callback) => {
    void (async () => {
      const startMs = performance.now();
      try {
        const response = await handler(call.request, call.metadata);
        answered(grpc.status.OK, startMs);
        callback(null, response);
      } catch (error) {
        const failure = failureOf(error, name, log);
        answered(failure.code, startMs);
        callback(failure);
      }
    })();
  };
}

/**
 * Serves a method with a stream of questions and a stream of answers: one for each, in their order. An error ends the
 * call with its status.
 * @param open those that have not ended; the call is in it for as long.
 */
export function streamedCall(
  name: string,
  handler: Handler,
  log: Logger,
  answered: Answered,
  open: Set<{ end(): void }>,
): grpc.handleBidiStreamingCall<never, unknown> {
  return (call) => {
    open.add(call);
    for (const event of ["finish", "close"]) call.on(event, () => open.delete(call));
    void (async () => {
      let failure: { code: grpc.status; details: string } | undefined;
      try {
        for await (const request of call.iterator({ destroyOnReturn: false })) {
          const startMs = performance.now();
          try {
            const response = await handler(request as never, call.metadata);
            answered(grpc.status.OK, startMs);
            if (call.writable) call.write(response);
          } catch (error) {
            failure = failureOf(error, name, log);
            answered(failure.code, startMs);
            break;
          }
        }
      } catch (error) {
        // Else whoever asked has gone.
        if (!call.cancelled) log.error({ err: error, method: name }, "a gRPC stream broke off");
      }
      // Within the loop it would destroy the call before its status has left.
      if (failure) call.emit("error", failure);
      else call.end();
    })();
  };
}

function failureOf(error: unknown, method: string, log: Logger): { code: grpc.status; details: string } {
  if (error instanceof ServiceError) return { code: statusOf(error.code), details: error.message };
  log.error({ err: error, method }, "an unexpected error in a gRPC call");
  return { code: grpc.status.INTERNAL, details: "internal error; the cause is in the service's log" };
}
