import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request as plainRequest } from "node:http";
import { request as tlsRequest } from "node:https";
import { trust } from "../http.ts";

export interface EventStream extends Disposable {
  status: number;
  /** Every event so far. */
  events: { event: string; data: string }[];
  /** Whether the server has ended it. */
  hasEnded(): boolean;
}

/** Opens a stream of server-sent events. Resolves when its headers have arrived. */
export async function openEventStream(
  url: string,
  sent: { path: string; host: string; cookie?: string; headers?: Readonly<Record<string, string>> },
): Promise<EventStream> {
  const { hostname, port, protocol } = new URL(url);
  const request = protocol === "https:" ? tlsRequest : plainRequest;
  const outgoing: ClientRequest = request({
    hostname,
    port,
    path: sent.path,
    headers: { Host: sent.host, Cookie: sent.cookie ?? "", Accept: "text/event-stream", ...sent.headers },
    agent: false,
    ...(protocol === "https:" ? trust(hostname) : {}),
  }).end();
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  const events: EventStream["events"] = [];
  let text = "";
  let ended = false;
  incoming.setEncoding("utf8").on("data", (chunk: string) => {
    const parts = (text + chunk).split("\n\n");
    text = parts.pop() ?? "";
    for (const part of parts) {
      const [, event = "", data = ""] = /^event: (.*)\ndata: (.*)$/.exec(part) ?? [];
      if (event !== "") events.push({ event, data: JSON.parse(data) });
    }
  });
  // A reset connection also ends the stream.
  incoming.on("error", () => {});
  incoming.on("close", () => {
    ended = true;
  });
  return {
    status: incoming.statusCode ?? 0,
    events,
    hasEnded: () => ended,
    [Symbol.dispose]: () => outgoing.destroy(),
  };
}
