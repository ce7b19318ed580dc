import { type Method, startStream } from "@geolookup/shared/runtime/grpc/client.ts";
import grpc from "@grpc/grpc-js";

/**
 * A stream is left for another after so long: before its server, which renews its connections, ends the one that it is
 * on (`maxConnectionAgeMs`).
 */
const MAX_AGE_MS = 3_000;
/** By then all that was asked on it is answered or given up. */
const GRACE_MS = 2_000;

/** Told once, later than the question was asked: a status other than OK, or the answer. */
export type Done<Response> = (error: grpc.StatusObject | null, response?: Response) => void;

/** Questions to one node, which it answers in their order. */
export interface Questions<Request, Response> {
  /** @param timeoutMs how long an answer is of use. Returns a function that gives it up. */
  ask(request: Request, timeoutMs: number, done: Done<Response>): () => void;
  /** What has been asked is answered. */
  close(): void;
}

interface Question<Response> {
  /** Null when it was given up. */
  done: Done<Response> | null;
  /** Monotonic. */
  expiresMs: number;
}

/**
 * Asks over streams, one after the other, what a unary method would take a call each for: a call makes 20 kB of objects
 * (docs/decisions/geo-streams.md). Where nothing is asked there is soon no stream.
 * @param client gives the one to use now.
 * @param method of streams.
 * @param maxAgeMs for tests: when a stream is left for another.
 */
export function openQuestions<Request, Response>(
  client: () => grpc.Client,
  method: Method<Request, Response>,
  maxAgeMs = MAX_AGE_MS,
): Questions<Request, Response> {
  let current: { ask: Questions<Request, Response>["ask"]; leave(): void } | null = null;
  const start = () => {
    const stream = openStream(client(), method, maxAgeMs, () => {
      if (current === stream) current = null;
    });
    return stream;
  };
  return {
    ask: (request, timeoutMs, done) => {
      current ??= start();
      return current.ask(request, timeoutMs, done);
    },
    close: () => current?.leave(),
  };
}

/** @param onLeft nothing more is to be asked here. */
function openStream<Request, Response>(
  client: grpc.Client,
  method: Method<Request, Response>,
  maxAgeMs: number,
  onLeft: () => void,
) {
  /** In the order of asking. */
  const unanswered: Question<Response>[] = [];
  let watching: NodeJS.Timeout | undefined;
  const call = startStream(client, method, { deadlineMs: maxAgeMs + GRACE_MS });
  const leave = () => {
    clearTimeout(age);
    onLeft();
    call.end();
  };
  const age = setTimeout(leave, maxAgeMs);
  age.unref();
  call.on("data", (response: Response) => unanswered.shift()?.done?.(null, response));
  // What ended it is told by its status.
  call.on("error", () => {});
  call.on("status", (status: grpc.StatusObject) => {
    clearTimeout(age);
    clearTimeout(watching);
    onLeft();
    const left = unanswered.splice(0);
    const error = status.code === grpc.status.OK ? { ...status, code: grpc.status.UNAVAILABLE } : status;
    for (const { done } of left) done?.(error);
  });

  /** Ends the stream once a question has waited for too long: what came after it waits for it. */
  const watch = () => {
    clearTimeout(watching);
    const [oldest] = unanswered;
    if (!oldest) return;
    const leftMs = oldest.expiresMs - performance.now();
    if (leftMs > 0) {
      watching = setTimeout(watch, leftMs);
      return;
    }
    // After the sockets were read: a process that stalled must not take the answers it holds for silence.
    setImmediate(() => {
      if (unanswered[0] !== oldest) return watch();
      onLeft();
      call.cancel();
    });
  };
  return {
    leave,
    ask: (request: Request, timeoutMs: number, done: Done<Response>) => {
      const question: Question<Response> = { done, expiresMs: performance.now() + timeoutMs };
      unanswered.push(question);
      call.write(request);
      if (unanswered.length === 1) watch();
      return () => {
        question.done = null;
      };
    },
  };
}
