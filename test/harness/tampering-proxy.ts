import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { CertificateFiles } from "./certificates.ts";

/** A response that can be changed in transit. */
export interface Passing {
  asked: IncomingMessage;
  status: number;
  headers: IncomingMessage["headers"];
  body: string;
}
export type Tamper = (response: Passing) => unknown;

export interface TamperingProxy extends Disposable {
  url: string;
  /** Sets how further responses are changed. */
  tamper(how: Tamper): void;
}

/**
 * Starts a proxy in front of a deployment that changes its responses.
 * @param tls its certificate and key; without it, plain HTTP.
 */
export async function startTamperingProxy(url: string, tls?: CertificateFiles): Promise<TamperingProxy> {
  let tamper: Tamper = () => undefined;
  const { hostname, port } = new URL(url);
  const forward = (asked: IncomingMessage, res: ServerResponse) => {
    const { method, url: path, headers } = asked;
    const outgoing = request({ hostname, port, method, path, headers }, (incoming) => {
      let body = "";
      incoming.setEncoding("utf8");
      incoming.on("data", (text: string) => {
        body += text;
      });
      incoming.on("end", () => {
        const response = { asked, status: incoming.statusCode ?? 0, headers: { ...incoming.headers }, body };
        tamper(response);
        delete response.headers["content-length"];
        res.writeHead(response.status, response.headers).end(response.body);
      });
    });
    outgoing.end();
  };
  const server = tls
    ? createTlsServer({ cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) }, forward)
    : createServer(forward);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `${tls ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tamper: (how: Tamper) => {
      tamper = how;
    },
    [Symbol.dispose]: () => void server.close(),
  };
}
