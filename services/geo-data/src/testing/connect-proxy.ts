import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { Duplex } from "node:stream";

/**
 * An HTTP proxy on a loopback port that only tunnels (CONNECT), such as the way out of a company's network.
 * @param targetPort the local port that every tunnel leads to; null: the proxy never responds.
 */
export async function startConnectProxy(targetPort: number | null) {
  /** `host:port` of each tunnel, with its credentials. */
  const tunnels: string[] = [];
  const open = new Set<Duplex>();
  const server = createServer((_req, res) => void res.writeHead(405).end());
  server.on("connect", (req, socket) => {
    const [, encoded = ""] = (req.headers["proxy-authorization"] ?? "").split(" ");
    tunnels.push([req.url, Buffer.from(encoded, "base64").toString()].join(" ").trim());
    open.add(socket.on("error", () => {}));
    if (targetPort === null) return;
    const target = connect(targetPort, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      target.pipe(socket).pipe(target);
    });
    target.on("error", () => socket.destroy());
    socket.on("close", () => target.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    tunnels,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
        server.closeAllConnections();
      }),
  };
}
