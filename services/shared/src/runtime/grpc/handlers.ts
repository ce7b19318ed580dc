import grpc from "@grpc/grpc-js";
import { ServiceError } from "../../domain/service-error.ts";
import type { Logger } from "../observability/log.ts";
import { budgeted } from "../observability/log-budget.ts";
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
