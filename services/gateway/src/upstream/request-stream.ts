import { type Method, startStream } from "@geolookup/shared/runtime/grpc/client.ts";
import grpc from "@grpc/grpc-js";

/**
 * A stream is replaced after this time, before its server ends the connection for its age (`maxConnectionAgeMs`).
 */
const MAX_AGE_MS = 3_000;
/** After this time, all requests on a replaced stream are completed or canceled. */
const GRACE_MS = 2_000;

/** Called once, asynchronously, with a status other than OK, or the response. */
export type Done<Response> = (error: grpc.StatusObject | null, response?: Response) => void;

/** A stream of requests to one node, which responds in order. */
export interface RequestStream<Request, Response> {
  /** @param timeoutMs how long the response is useful. @returns a function that cancels the request. */
  send(request: Request, timeoutMs: number, done: Done<Response>): () => void;
  /** Completes pending requests. */
  [Symbol.dispose](): void;
}

interface PendingRequest<Response> {
  /** Null if it was canceled. */
  done: Done<Response> | null;
  /** Monotonic. */
  expiresMs: number;
}

/**
 * Sends requests over one stream at a time instead of unary calls: each of those allocates 20 kB of objects
 * (docs/decisions/geo-streams.md). Without requests, the stream soon ends.
 * @param client returns the current client.
 * @param method a streaming method.
 * @param maxAgeMs for tests: when a stream is replaced.
 */
export function openRequestStream<Request, Response>(
  client: () => grpc.Client,
  method: Method<Request, Response>,
  maxAgeMs = MAX_AGE_MS,
): RequestStream<Request, Response> {
  let current: { send: RequestStream<Request, Response>["send"]; leave(): void } | null = null;
  const start = () => {
    const stream = openStream(client(), method, maxAgeMs, () => {
      if (current === stream) current = null;
    });
    return stream;
  };
  return {
    send: (request, timeoutMs, done) => {
      current ??= start();
      return current.send(request, timeoutMs, done);
    },
    [Symbol.dispose]: () => current?.leave(),
  };
}

/** @param onLeft called when no more requests may be sent on this stream. */
function openStream<Request, Response>(
  client: grpc.Client,
  method: Method<Request, Response>,
  maxAgeMs: number,
  onLeft: () => void,
) {
  /** In the order of sending. */
  const pending: PendingRequest<Response>[] = [];
  let watching: NodeJS.Timeout | undefined;
  const call = startStream(client, method, { deadlineMs: maxAgeMs + GRACE_MS });
  const leave = () => {
    clearTimeout(age);
    onLeft();
    call.end();
  };
  const age = setTimeout(leave, maxAgeMs);
  age.unref();
  call.on("data", (response: Response) => pending.shift()?.done?.(null, response));
  // The status event has the reason.
  call.on("error", () => {});
  call.on("status", (status: grpc.StatusObject) => {
    clearTimeout(age);
    clearTimeout(watching);
    onLeft();
    const left = pending.splice(0);
    const error = status.code === grpc.status.OK ? { ...status, code: grpc.status.UNAVAILABLE } : status;
    for (const { done } of left) done?.(error);
  });

  /** Ends the stream once a request has timed out, since later ones wait for it. */
  const watch = () => {
    clearTimeout(watching);
    const [oldest] = pending;
    if (!oldest) return;
    const leftMs = oldest.expiresMs - performance.now();
    if (leftMs > 0) {
      watching = setTimeout(watch, leftMs);
      return;
    }
    // After reading sockets, so that responses that arrived while this process was blocked count.
    setImmediate(() => {
      if (pending[0] !== oldest) return watch();
      onLeft();
      call.cancel();
    });
  };
  return {
    leave,
    send: (request: Request, timeoutMs: number, done: Done<Response>) => {
      const sent: PendingRequest<Response> = { done, expiresMs: performance.now() + timeoutMs };
      pending.push(sent);
      call.write(request);
      if (pending.length === 1) watch();
      return () => {
        sent.done = null;
      };
    },
  };
}
