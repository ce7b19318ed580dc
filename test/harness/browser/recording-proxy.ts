import { once } from "node:events";
import { createServer, type IncomingMessage, request as plainRequest, type ServerResponse } from "node:http";
import { request as tlsRequest } from "node:https";
import type { AddressInfo } from "node:net";
import { trust } from "../http.ts";

/** A request sent by the browser. */
interface Recorded {
  method: string;
  /** The Host header. */
  host: string;
  /** Path and query. */
  url: string;
  headers: IncomingMessage["headers"];
}

export interface RecordingProxy extends AsyncDisposable {
  port: number;
  /** Every request so far, in order, recorded before its response. */
  requests(): readonly Recorded[];
  forget(): void;
  /** Forwards requests to this server from now on. */
  forwardTo(url: string): void;
  /** Makes the browser appear to have this address from now on. */
  callFrom(address: string): void;
}

/**
 * A proxy in front of a service, on a free loopback port, that records every request. It sees preflights, which browsers
 * hide, and doesn't see requests served from the browser's cache. Responses are streamed.
 */
export async function startRecordingProxy(): Promise<RecordingProxy> {
  let requests: Recorded[] = [];
  let target: string | null = null;
  let from = "127.0.0.1";

  const forward = (req: IncomingMessage, res: ServerResponse) => {
    requests.push({
      method: req.method ?? "",
      host: req.headers.host ?? "",
      url: req.url ?? "",
      headers: req.headers,
    });
    if (target === null) return void res.destroy();
    const { hostname, port, protocol } = new URL(target);
    const send = protocol === "https:" ? tlsRequest : plainRequest;
    const outgoing = send(
      {
        hostname,
        port,
        method: req.method,
        path: req.url,
        headers: [...req.rawHeaders, "X-Forwarded-For", from],
        agent: false,
        ...(protocol === "https:" ? trust(hostname) : {}),
      },
      (response) => {
        res.writeHead(response.statusCode ?? 500, response.rawHeaders);
        response.on("error", () => res.destroy());
        response.pipe(res);
      },
    );
    outgoing.on("error", () => res.destroy());
    res.on("close", () => outgoing.destroy());
    req.pipe(outgoing);
  };
  const server = createServer(forward);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    requests: () => requests,
    forget: () => {
      requests = [];
    },
    forwardTo: (url) => {
      target = url;
    },
    callFrom: (address) => {
      from = address;
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
