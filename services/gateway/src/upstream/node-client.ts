import { startUnary } from "@geolookup/shared/runtime/grpc/client.ts";
import { isSilence } from "@geolookup/shared/runtime/grpc/status.ts";
import grpc from "@grpc/grpc-js";
import { type Done, openQuestions, type Questions } from "./request-stream.ts";

/** How long a node that knows no streams, being older, is asked with calls before it is asked with streams again. */
const UNARY_MS = 60_000;

/** Asks one node: over a stream where it can, else with calls. */
export interface Asking {
  /**
   * @param method unary, lower camel case.
   * @param timeoutMs how long an answer is of use. Returns a function that gives it up.
   */
  ask<Response>(method: string, request: object, timeoutMs: number, done: Done<Response>): () => void;
  close(): void;
}

/**
 * @param client gives the one to use now.
 * @param streams the methods of streams to ask in place of unary ones, by their names.
 * @param unaryMs for tests: how long a node that knows no streams is asked with calls.
 */
export function openAsking(
  client: () => grpc.Client,
  streams: Readonly<Record<string, string>> = {},
  unaryMs = UNARY_MS,
): Asking {
  const questions = new Map<string, Questions>();
  for (const [method, stream] of Object.entries(streams)) questions.set(method, openQuestions(client, stream));
  let unaryUntilMs = 0;
  let closed = false;

  return {
    ask: <Response>(method: string, request: object, timeoutMs: number, done: Done<Response>) => {
      const call = () => {
        const unary = startUnary<Response>(client(), method, request, { deadlineMs: timeoutMs }, done);
        return () => unary.cancel();
      };
      const streamed = performance.now() < unaryUntilMs ? undefined : questions.get(method);
      if (!streamed) return call();
      let givenUp = false;
      let giveUp = streamed.ask<Response>(request, timeoutMs, (error, response) => {
        if (error?.code === grpc.status.UNIMPLEMENTED) unaryUntilMs = performance.now() + unaryMs;
        // An answer's own error ends the stream for those behind it too: a call tells each what is its own.
        if (error === null || isSilence(error.code) || closed) done(error, response);
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
