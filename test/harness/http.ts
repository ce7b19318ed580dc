import { Agent, type IncomingHttpHeaders, request } from "node:http";

const TIMEOUT_MS = 10_000;
/** A connection for each request: no answer depends on what was sent before it. */
const agent = new Agent({ keepAlive: false });

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Header names and values in turn, as they came. */
  rawHeaders: string[];
  text: string;
  /** The body as JSON. @throws SyntaxError */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  json: any;
}

export interface Sent {
  method?: string;
  /** Sent as it stands: nothing is normalised. */
  path?: string;
  /** Names and values; a value that is a list becomes several header lines. */
  headers?: Readonly<Record<string, string | readonly string[]>>;
  /** The Host header; by default the address that is connected to. */
  host?: string;
  body?: string;
}

/**
 * Sends one request exactly as told.
 * @param url where to connect: scheme, host, port; its path is ignored.
 * @throws Error when no whole answer comes within 10 s.
 */
export function send(url: string, sent: Sent = {}): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const headers: string[] = ["Host", sent.host ?? `${hostname}:${port}`];
  for (const [name, value] of Object.entries(sent.headers ?? {}))
    for (const line of typeof value === "string" ? [value] : value) headers.push(name, line);
  if (sent.body !== undefined) headers.push("Content-Length", String(Buffer.byteLength(sent.body)));
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        hostname,
        port,
        method: sent.method ?? "GET",
        path: sent.path ?? "/v1/geo",
        headers,
        agent,
        timeout: TIMEOUT_MS,
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            rawHeaders: incoming.rawHeaders,
            text,
            get json() {
              return JSON.parse(text);
            },
          });
        });
      },
    );
    outgoing.on("timeout", () => outgoing.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)));
    outgoing.on("error", reject);
    outgoing.end(sent.body);
  });
}
