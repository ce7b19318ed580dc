import { type IncomingHttpHeaders, request as plainRequest } from "node:http";
import { request as tlsRequest } from "node:https";
import { isIP } from "node:net";
import { testAuthority } from "./certificates.ts";

const TIMEOUT_MS = 10_000;

export interface HttpResponse {
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
  /** Sent unchanged, without normalization. */
  path?: string;
  /** Names and values; a value that is a list becomes several header lines. */
  headers?: Readonly<Record<string, string | readonly string[]>>;
  /** The Host header; by default the address of the connection. */
  host?: string;
  body?: string;
}

/**
 * Sends one request exactly as given.
 * @param url where to connect: scheme, host, port; its path is ignored.
 * @throws Error if there is no complete response within 10 s.
 */
export function send(url: string, sent: Sent = {}): Promise<HttpResponse> {
  const { hostname, port, protocol } = new URL(url);
  const request = protocol === "https:" ? tlsRequest : plainRequest;
  const headers: string[] = ["Host", sent.host ?? `${hostname}:${port}`];
  for (const [name, value] of Object.entries(sent.headers ?? {}))
    for (const line of typeof value === "string" ? [value] : value) headers.push(name, line);
  if (sent.body !== undefined) headers.push("Content-Length", String(Buffer.byteLength(sent.body)));
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        hostname: hostname.replace(/^\[|\]$/g, ""),
        port,
        method: sent.method ?? "GET",
        path: sent.path ?? "/v1/geo",
        headers,
        // A connection for each request, so that no response depends on previous requests.
        agent: false,
        ...(protocol === "https:" ? trust(hostname) : {}),
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
    outgoing.on("timeout", () => outgoing.destroy(new Error(`no response within ${TIMEOUT_MS} ms`)));
    outgoing.on("error", reject);
    outgoing.end(sent.body);
  });
}

/** TLS options that expect a certificate of the suites' authority for the connection's host, whatever the Host header is. */
export function trust(hostname: string) {
  return { ca: testAuthority().ca, servername: isIP(hostname) ? "" : hostname };
}
