import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { trust } from "./http.ts";

/** Connections that stay open, over which requests can be sent at the same time. */
export interface OpenConnections extends Disposable {
  /** Sends a request on each connection. Resolves with everything received once each has had one response with a body. */
  sendAll(requests: readonly string[]): Promise<string[]>;
}

/** Opens connections to a server. They decode Latin-1. */
export async function openConnections(url: string, count: number): Promise<OpenConnections> {
  const { hostname: host, port, protocol } = new URL(url);
  const open = async () => {
    const isSecure = protocol === "https:";
    const to = { host, port: Number(port || 80) };
    const socket: Socket = isSecure ? connectTls({ ...to, ...trust(host) }) : connect(to);
    await once(socket, isSecure ? "secureConnect" : "connect");
    return socket.setEncoding("latin1");
  };
  const sockets = await Promise.all(Array.from({ length: count }, open));
  const exchange = (socket: Socket, request: string) =>
    new Promise<string>((resolve, reject) => {
      let received = "";
      const onData = (text: string) => {
        received += text;
        const head = /content-length: (\d+)\r\n.*?\r\n\r\n/is.exec(received);
        if (!head || received.length < head.index + head[0].length + Number(head[1])) return;
        socket.off("data", onData).off("error", reject);
        resolve(received);
      };
      socket.on("data", onData).on("error", reject);
      socket.write(request, "latin1");
    });
  return {
    sendAll: (requests) =>
      Promise.all(sockets.map((socket, index) => exchange(socket, requests[index % requests.length] ?? ""))),
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}
