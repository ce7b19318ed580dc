import { type Method, startUnary } from "@geolookup/shared/runtime/grpc/client.ts";
import { isUnavailable } from "@geolookup/shared/runtime/grpc/status.ts";
import grpc from "@grpc/grpc-js";
import { type Done, openRequestStream, type RequestStream } from "./request-stream.ts";

/** How long an older node that doesn't support streams gets unary calls before streams are tried again. */
const UNARY_MS = 60_000;

/** Calls one node: over a stream if possible, otherwise with unary calls. */
export interface NodeClient extends Disposable {
  /**
   * @param timeoutMs how long the response is useful.
   * @returns a function that cancels the call.
   */
  call<Request, Response>(
    method: Method<Request, Response>,
    request: NoInfer<Request>,
    timeoutMs: number,
    done: Done<Response>,
  ): () => void;
}

/** A unary method and its streaming equivalent, with the same messages. */
export interface StreamedMethod {
  unary: Method<never, unknown>;
  stream: Method<never, unknown>;
}

/**
 * @param client returns the current client.
 * @param streams streaming methods to use instead of unary ones.
 * @param unaryMs for tests: how long an older node gets unary calls.
 */
export function openNodeClient(
  client: () => grpc.Client,
  streams: readonly StreamedMethod[] = [],
  unaryMs = UNARY_MS,
): NodeClient {
  const byMethod = new Map<Method<never, unknown>, RequestStream<never, unknown>>();
  for (const { unary, stream } of streams) byMethod.set(unary, openRequestStream(client, stream));
  let unaryUntilMs = 0;
  let closed = false;

  return {
    call: <Request, Response>(
      method: Method<Request, Response>,
      request: Request,
      timeoutMs: number,
      done: Done<Response>,
    ) => {
      const callUnary = () => {
        const unary = startUnary(client(), method, request, { deadlineMs: timeoutMs }, done);
        return () => unary.cancel();
      };
      // The streaming method has the unary method's messages.
      const ofMethod = byMethod.get(method) as RequestStream<Request, Response> | undefined;
      const streamed = performance.now() < unaryUntilMs ? undefined : ofMethod;
      if (!streamed) return callUnary();
      let isCanceled = false;
      let cancel = streamed.send(request, timeoutMs, (error, response) => {
        if (error?.code === grpc.status.UNIMPLEMENTED) unaryUntilMs = performance.now() + unaryMs;
        // An error ends the stream for later requests too. Unary calls find each request's own error.
        if (error === null || isUnavailable(error.code) || closed) done(error, response);
        else if (!isCanceled) cancel = callUnary();
      });
      return () => {
        isCanceled = true;
        cancel();
      };
    },
    [Symbol.dispose]: () => {
      closed = true;
      for (const each of byMethod.values()) each[Symbol.dispose]();
    },
  };
}
