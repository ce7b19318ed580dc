import { Agent, request } from "node:http";

const TIMEOUT_MS = 20_000;

/** What came of one request: an answer, or no connection or no whole answer. */
export type Outcome = { status: number; body: string; durationMs: number } | { error: string; durationMs: number };

/**
 * A client that keeps its connection alive, as callers' own HTTP clients do: unlike the suites' `send`, it meets
 * connections that were closed under it.
 */
export function keepAliveClient() {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    /** @param from the client's address, sent as X-Forwarded-For. Never rejects. */
    get(url: string, from: string, headers: Readonly<Record<string, string>> = {}): Promise<Outcome> {
      const startedMs = performance.now();
      const durationMs = () => performance.now() - startedMs;
      return new Promise((resolve) => {
        const failed = (error: NodeJS.ErrnoException) =>
          resolve({ error: error.code ?? error.message, durationMs: durationMs() });
        const outgoing = request(
          url,
          { agent, headers: { "X-Forwarded-For": from, ...headers }, timeout: TIMEOUT_MS },
          (incoming) => {
            let body = "";
            incoming.setEncoding("utf8");
            incoming.on("data", (text: string) => {
              body += text;
            });
            incoming.on("error", failed);
            incoming.on("end", () => resolve({ status: incoming.statusCode ?? 0, body, durationMs: durationMs() }));
          },
        );
        outgoing.on("timeout", () => outgoing.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)));
        outgoing.on("error", failed);
        outgoing.end();
      });
    },
    close: () => agent.destroy(),
  };
}
