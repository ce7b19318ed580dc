import { Agent as PlainAgent, request as plainRequest } from "node:http";
import { type AgentOptions, Agent as TlsAgent, request as tlsRequest } from "node:https";
import { trust } from "./http.ts";

const TIMEOUT_MS = 20_000;

/** The outcome of one request: a response, or an error if there was no connection or no complete response. */
export type Outcome = Responded | { error: string; isReused?: boolean; durationMs: number };

interface Responded {
  status: number;
  body: string;
  /** The response's Connection header. */
  connection: string | undefined;
  /** Whether the request was sent on the connection of an earlier one. */
  isReused: boolean;
  durationMs: number;
}

export type KeepAliveClient = ReturnType<typeof keepAliveClient>;

/**
 * A client with a keep-alive connection, like callers' HTTP clients. Unlike the suites' `send`, it may find its connection closed.
 * @param tls options to verify TLS certificates. Default: the suites' authority.
 */
export function keepAliveClient(tls?: AgentOptions) {
  const options = { keepAlive: true, maxSockets: 1 };
  let agent: PlainAgent | undefined;
  /** Chosen by the first address. */
  const agentFor = ({ protocol, hostname }: URL) => {
    agent ??=
      protocol === "https:" ? new TlsAgent({ ...options, ...(tls ?? trust(hostname)) }) : new PlainAgent(options);
    return agent;
  };
  return {
    /** @param from the client's address, sent as X-Forwarded-For; null: none. Never rejects. */
    get(url: string, from: string | null, headers: Readonly<Record<string, string>> = {}): Promise<Outcome> {
      const startedMs = performance.now();
      const durationMs = () => performance.now() - startedMs;
      return new Promise((resolve) => {
        const failed = (error: NodeJS.ErrnoException) =>
          resolve({ error: error.code ?? error.message, isReused: outgoing.reusedSocket, durationMs: durationMs() });
        const target = new URL(url);
        const request = target.protocol === "https:" ? tlsRequest : plainRequest;
        const outgoing = request(
          target,
          {
            agent: agentFor(target),
            headers: { ...(from === null ? {} : { "X-Forwarded-For": from }), ...headers },
            timeout: TIMEOUT_MS,
          },
          (incoming) => {
            let body = "";
            incoming.setEncoding("utf8");
            incoming.on("data", (text: string) => {
              body += text;
            });
            incoming.on("error", failed);
            const { statusCode: status = 0, headers } = incoming;
            const { connection } = headers;
            incoming.on("end", () =>
              resolve({ status, body, connection, isReused: outgoing.reusedSocket, durationMs: durationMs() }),
            );
          },
        );
        outgoing.on("timeout", () => outgoing.destroy(new Error(`no response within ${TIMEOUT_MS} ms`)));
        outgoing.on("error", failed);
        outgoing.end();
      });
    },
    [Symbol.dispose]: () => void agent?.destroy(),
  };
}
