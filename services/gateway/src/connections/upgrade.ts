import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { Connections } from "./connections.ts";

/**
 * Ignores `Upgrade`, as RFC 9110, section 7.8 allows: the request is served as if it did not have the header. Node drops
 * everything that follows such a request, so the connection is parsed again from that request on, without the header.
 */
export function ignoreUpgrades(
  server: Server,
  connections: Pick<Connections, "of" | "whenResponded" | "parseAgain">,
): void {
  server.on("upgrade", (req: IncomingMessage, socket: Socket, rest: Buffer) => {
    // Node hands over the connection without listeners: a reset would end the process.
    const destroy = () => socket.destroy();
    socket.on("error", destroy);
    const connection = connections.of(socket);
    if (!connection) return;
    connections.whenResponded(connection, () => {
      socket.off("error", destroy);
      server.emit(socket instanceof TLSSocket ? "secureConnection" : "connection", socket);
      connections.parseAgain(connection, Buffer.concat([Buffer.from(headOf(req), "latin1"), rest]));
    });
  });
}

/** The request line and the headers as they came, without `Upgrade`. */
function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.toLowerCase() !== "upgrade") lines.push(`${name}: ${rawHeaders[index + 1]}`);
  }
  return `${lines.join("\r\n")}\r\n\r\n`;
}
