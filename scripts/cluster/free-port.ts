import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the ports that Linux, macOS and Windows assign to outgoing connections. A restarted part must find its port free, and a
 * client of a stopped part must not accidentally connect to itself.
 */
const LOWEST = 15_000;
const HIGHEST = 30_000;

/**
 * Returns a loopback port that is free for TCP. No other call returns it, here or in another process, until this process
 * ends: it keeps the UDP port with the same number bound, which nothing else uses.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    const reservation = await reserve(port);
    if (reservation === null) continue;
    if (await isFree(port)) return port;
    reservation.close();
  }
}

/** @returns null if the port is reserved. */
async function reserve(port: number): Promise<Socket | null> {
  const socket = createSocket("udp4").unref();
  try {
    socket.bind({ port, address: "127.0.0.1", exclusive: true });
    await once(socket, "listening");
    return socket;
  } catch {
    socket.close();
    return null;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    server.close();
    await once(server, "close");
    return true;
  } catch {
    return false;
  }
}
