import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the ports that Linux, macOS and Windows assign to outgoing connections. A restarted part must find its port free,
 * and a client that calls a stopped part must not connect to itself by chance.
 */
const LOWEST = 15_000;
const HIGHEST = 30_000;

const given = new Set<number>();

/** Returns a free loopback port, each at most once per process. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
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
