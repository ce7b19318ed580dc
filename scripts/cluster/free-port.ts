import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the ports that Linux, macOS and Windows give to outgoing connections. A part that is started again must
 * find its port free, and a client that calls a part that is down must not, by chance, connect to itself.
 */
const LOWEST = 15_000;
const HIGHEST = 30_000;

const given = new Set<number>();

/** A port on loopback that nobody listens on, and that this process has not been given before. */
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
