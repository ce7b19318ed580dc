import { fork } from "node:child_process";
import { once } from "node:events";
import type { Target } from "../target.ts";
import type { GoodClientOrder, GoodClientQuestion, Phase } from "./phase.ts";

/** A well-behaved client with a key, in a process of its own: what attackers' work costs is not taken for the target's. */
export interface GoodClient extends AsyncDisposable {
  /** What it has met in this phase so far. */
  look(): Promise<Phase>;
  /** Begins another phase. Resolves with the one before once its last responses are there, or 25 s have passed. */
  endPhase(): Promise<Phase>;
}

/** Starts sending requests, so many a second, until closed. */
export async function startGoodClient(
  { url, ca, docsHost, key, inside }: Target,
  rates: Pick<GoodClientOrder, "perSecond" | "docsPerSecond">,
): Promise<GoodClient> {
  const child = fork(new URL("good-client-process.ts", import.meta.url));
  const exited = once(child, "exit");
  await once(child, "message");
  const asked = new Map<number, PromiseWithResolvers<Phase>>();
  let lastId = 0;
  child.on("message", ({ id, phase }: { id: number; phase: Phase }) => asked.get(id)?.resolve(phase));
  void exited.then(() => {
    for (const { reject } of asked.values()) reject(new Error("the good client has ended"));
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
    isBelieved: inside !== null,
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
