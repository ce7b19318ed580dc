import { fork } from "node:child_process";
import { once } from "node:events";
import type { Target } from "../target.ts";
import type { GoodClientOrder, GoodClientQuestion, Phase } from "./phase.ts";

/** A well-behaved client with a key. It is a separate process, so that the attackers' CPU use doesn't distort its latencies. */
export interface GoodClient extends AsyncDisposable {
  /** The current phase so far. */
  look(): Promise<Phase>;
  /** Begins the next phase. Resolves with the last one once all its responses have arrived, or after 25 s. */
  endPhase(): Promise<Phase>;
}

/** Starts a client that sends requests at these rates until it is disposed of. */
export async function startGoodClient(
  { url, ca, docsHost, key }: Target,
  rates: Pick<GoodClientOrder, "perSecond" | "docsPerSecond">,
): Promise<GoodClient> {
  const child = fork(new URL("good-client-process.ts", import.meta.url));
  const exited = once(child, "exit");
  await once(child, "message");
  const asked = new Map<number, PromiseWithResolvers<Phase>>();
  let lastId = 0;
  child.on("message", ({ id, phase }: { id: number; phase: Phase }) => asked.get(id)?.resolve(phase));
  void exited.then(() => {
    for (const { reject } of asked.values()) reject(new Error("the well-behaved client ended unexpectedly"));
  });
  const ask = (kind: GoodClientQuestion["kind"]) => {
    const id = ++lastId;
    const response = Promise.withResolvers<Phase>();
    asked.set(id, response);
    child.send({ kind, id } satisfies GoodClientQuestion);
    return response.promise.finally(() => asked.delete(id));
  };
  child.send({
    kind: "begin",
    url,
    ca,
    docsHost,
    key,
    ...rates,
  } satisfies GoodClientOrder);
  return {
    look: () => ask("look"),
    endPhase: () => ask("end phase"),
    async [Symbol.asyncDispose]() {
      child.kill();
      await exited;
    },
  };
}
