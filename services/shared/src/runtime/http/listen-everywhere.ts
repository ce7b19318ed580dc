import { lookup } from "node:dns/promises";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { StartError } from "../lifecycle/start-error.ts";

/** Connections that may wait to be accepted. */
const BACKLOG = 1_024;

/**
 * Listens for gRPC on every address of a host, such as both of `localhost`, on the same port.
 * @param options.port 0 lets the system choose.
 * @param options.reusePort shares the port with other processes (Linux).
 * @param accept called with each connection.
 * @returns the port. Disposing of it resolves when all connections have ended.
 * @throws StartError if it can't listen on any one of them.
 */
export async function listenEverywhere(
  { host, port, reusePort = false }: { host: string; port: number; reusePort?: boolean },
  accept: (socket: Socket) => void,
): Promise<{ port: number } & AsyncDisposable> {
  const servers: Server[] = [];
  const close = async () => {
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  };
  let chosen = port;
  try {
    const addresses = new Set((await lookup(host, { all: true })).map(({ address }) => address));
    for (const address of addresses) {
      const server = createServer(accept);
      await listen(server, { host: address, port: chosen, reusePort });
      servers.push(server);
      chosen = (server.address() as AddressInfo).port;
    }
    return { port: chosen, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    const address = `${host.includes(":") ? `[${host}]` : host}:${port}`;
    throw new StartError(`cannot listen on ${address} for gRPC: ${(error as Error).message}`);
  }
}

function listen(server: Server, at: { host: string; port: number; reusePort: boolean }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ ...at, backlog: BACKLOG }, () => {
      server.off("error", reject);
      // Later errors, such as no file descriptor left for a connection, must not end the process.
      server.on("error", (error) => process.emitWarning(error));
      resolve();
    });
  });
}
