import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Target } from "./target.ts";

/** Where to connect to, and optionally the local address to connect from. */
export type Reached = Pick<Target, "url" | "ca"> & { localAddress?: string };

const CONNECT_TIMEOUT_MS = 20_000;

/**
 * Connects to a target, over TLS if its URL says so. Errors of an open connection close it and aren't reported.
 * @param port of a relay on loopback; by default, the connection is direct.
 * @returns null if it can't connect.
 */
export function openSocket({ url, ca, localAddress }: Reached, port?: number): Promise<Socket | null> {
  const { hostname, port: ownPort, protocol } = new URL(url);
  const isTls = protocol === "https:";
  const to =
    port === undefined ? { host: hostname, port: Number(ownPort || (isTls ? 443 : 80)) } : { host: "127.0.0.1", port };
  const from = localAddress === undefined ? {} : { localAddress };
  return new Promise((resolve) => {
    const socket: Socket = isTls
      ? connectTls(
          { ...to, ...from, ...(ca === null ? {} : { ca }), servername: "", checkServerIdentity: () => undefined },
          opened,
        )
      : connectPlain({ ...to, ...from }, opened);
    const timer = setTimeout(() => socket.destroy(), CONNECT_TIMEOUT_MS);
    function opened() {
      clearTimeout(timer);
      resolve(socket);
    }
    socket.on("error", () => socket.destroy());
    socket.once("close", () => {
      clearTimeout(timer);
      resolve(null);
    });
  });
}

/** Opens `count` connections at once, and returns those that could be opened. */
export async function openSockets(target: Pick<Target, "url" | "ca">, count: number, port?: number): Promise<Socket[]> {
  const opened = await Promise.all(Array.from({ length: count }, () => openSocket(target, port)));
  return opened.filter((socket) => socket !== null);
}
