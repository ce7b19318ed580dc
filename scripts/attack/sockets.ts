import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Target } from "./target.ts";

/** What is connected to, and perhaps the address that this is done from. */
export type Reached = Pick<Target, "url" | "ca"> & { localAddress?: string };

const CONNECT_TIMEOUT_MS = 20_000;

/**
 * Opens a connection to a target, over TLS where it speaks that. Once open, its errors are nobody's: it closes.
 * @param port of a relay on loopback to go through; by default straight to the target.
 * @returns null when it can't be opened.
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

/** Opens so many at once; those that can't be opened are left out. */
export async function openSockets(target: Pick<Target, "url" | "ca">, count: number, port?: number): Promise<Socket[]> {
  const opened = await Promise.all(Array.from({ length: count }, () => openSocket(target, port)));
  return opened.filter((socket) => socket !== null);
}
