import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { StartError } from "../lifecycle/start-error.ts";

/**
 * Connections that may wait to be accepted, up to the system's limit (`net.core.somaxconn`). With Node's default of 511,
 * when thousands arrive at once, the system drops the last packet of further handshakes: those clients think they are connected,
 * and retransmit their requests with growing delays for up to ten seconds.
 */
const BACKLOG = 65_535;

/**
 * Starts listening; resolves when the port is open.
 * @param options.reusePort whether other processes that also set it may listen on the same port: Linux gives each a share of the
 * connections.
 * @throws StartError naming the setting if the port is in use or not permitted.
 */
export function listen(
  server: Server,
  options: { host: string; port: number; setting: string; reusePort?: boolean },
): Promise<void> {
  const { host, port, setting, reusePort = false } = options;
  return new Promise((resolve, reject) => {
    const refused = (error: NodeJS.ErrnoException) => reject(listenError(error, host, port, setting));
    server.once("error", refused);
    server.listen({ port, host, backlog: BACKLOG, reusePort }, () => {
      server.off("error", refused);
      // Later errors, such as running out of file descriptors, must not end the process.
      server.on("error", (error) => process.emitWarning(error));
      resolve();
    });
  });
}

/**
 * Listens for gRPC on every address of a host, such as both of `localhost`, on the same port.
 * @param options.port 0 lets the system choose.
 * @param options.reusePort shares the port with other processes (Linux).
 * @param accept called with each connection.
 * @returns the port. Disposing of it resolves when all connections have ended.
 * @throws StartError if it can't listen on any one of them.
 */
export async function listenEverywhere(
  {
    host,
    port,
    reusePort = false,
    setting = "PORT",
  }: { host: string; port: number; reusePort?: boolean; setting?: string },
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
      await listen(server, { host: address, port: chosen, setting, reusePort });
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

/**
 * Checks that a port can be listened on, before a long start.
 * @throws StartError as `listen`, also if other processes share the port.
 */
export async function checkPortIsFree(options: { host: string; port: number; setting: string }): Promise<void> {
  const server = createServer((socket) => socket.destroy());
  await listen(server, options);
  server.close();
  await once(server, "close");
}

/** A failed listen, as an error for the operator. */
function listenError(error: NodeJS.ErrnoException, host: string, port: number, setting: string): StartError {
  switch (error.code) {
    case "EADDRINUSE":
      return new StartError(
        `port ${port} on ${host} is in use by another program; stop it or set ${setting} to a free port`,
      );
    case "EACCES":
      return new StartError(`not allowed to listen on port ${port}; set ${setting} to a port above 1023`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new StartError(`${host} isn't an address of this machine; set HOST to one, e.g. 127.0.0.1 or 0.0.0.0`);
    default:
      return new StartError(`cannot listen on ${host}:${port} (${setting}): ${error.message}`);
  }
}
