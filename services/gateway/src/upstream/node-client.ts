import { type Method, startUnary } from "@geolookup/shared/runtime/grpc/client.ts";
import { isUnavailable } from "@geolookup/shared/runtime/grpc/status.ts";
import grpc from "@grpc/grpc-js";
import { type Done, openQuestions, type Questions } from "./request-stream.ts";

/** How long a node that knows no streams, being older, is asked with calls before it is asked with streams again. */
const UNARY_MS = 60_000;

/** Asks one node: over a stream where it can, else with calls. */
export interface Asking {
  /**
   * @param timeoutMs how long an answer is of use. Returns a function that gives it up.
   */
  ask<Request, Response>(
    method: Method<Request, Response>,
    request: NoInfer<Request>,
    timeoutMs: number,
    done: Done<Response>,
  ): () => void;
  close(): void;
}

/** A unary method, and the one of streams for it: the same questions and answers. */
export interface StreamedMethod {
  unary: Method<never, unknown>;
  stream: Method<never, unknown>;
}

/**
 * @param client gives the one to use now.
 * @param streams the methods of streams to ask in place of unary ones.
 * @param unaryMs for tests: how long a node that knows no streams is asked with calls.
 */
export function openAsking(
  client: () => grpc.Client,
  streams: readonly StreamedMethod[] = [],
  unaryMs = UNARY_MS,
): Asking {
  const questions = new Map<Method<never, unknown>, Questions<never, unknown>>();
  for (const { unary, stream } of streams) questions.set(unary, openQuestions(client, stream));
  let unaryUntilMs = 0;
  let closed = false;

  return {
    ask: <Request, Response>(
      method: Method<Request, Response>,
      request: Request,
      timeoutMs: number,
      done: Done<Response>,
    ) => {
      const call = () => {
        const unary = startUnary(client(), method, request, { deadlineMs: timeoutMs }, done);
        return () => unary.cancel();
      };
      // Its messages are those of the unary method.
      const ofMethod = questions.get(method) as Questions<Request, Response> | undefined;
      const streamed = performance.now() < unaryUntilMs ? undefined : ofMethod;
      if (!streamed) return call();
      let givenUp = false;
      let giveUp = streamed.ask(request, timeoutMs, (error, response) => {
        if (error?.code === grpc.status.UNIMPLEMENTED) unaryUntilMs = performance.now() + unaryMs;
        // An answer's own error ends the stream for those behind it too: a call tells each what is its own.
        if (error === null || isUnavailable(error.code) || closed) done(error, response);
        else if (!givenUp) giveUp = call();
      });
      return () => {
        givenUp = true;
        giveUp();
      };
    },
    close: () => {
      closed = true;
      for (const each of questions.values()) each.close();
    },
  };
}
