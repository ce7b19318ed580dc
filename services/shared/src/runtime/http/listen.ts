import type { Server } from "node:net";
import { StartError } from "../lifecycle/start-error.ts";

/**
 * Connections that may wait to be taken; the system's own limit (`net.core.somaxconn`) holds too. Of those beyond Node's
 * 511, when thousands come at once, the system drops the last packet of the handshake: such a caller believes to be
 * connected, and its request is sent again and again, at longer and longer intervals, for up to ten seconds.
 */
const BACKLOG = 65_535;

/**
 * Starts listening; resolves when the port is open.
 * @throws StartError naming the setting when the port is taken or may not be used.
 */
export function listen(server: Server, options: { host: string; port: number; setting: string }): Promise<void> {
  const { host, port, setting } = options;
  return new Promise((resolve, reject) => {
    const refused = (error: NodeJS.ErrnoException) => reject(listenError(error, host, port, setting));
    server.once("error", refused);
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off("error", refused);
      // What goes wrong later, as when no file descriptor is left for a connection, must not end the process.
      server.on("error", (error) => process.emitWarning(error));
      resolve();
    });
  });
}

/** The operator's words for a failed listen. */
function listenError(error: NodeJS.ErrnoException, host: string, port: number, setting: string): StartError {
  switch (error.code) {
    case "EADDRINUSE":
      return new StartError(
        `port ${port} on ${host} is taken by another program; stop it or set ${setting} to a free port`,
      );
    case "EACCES":
      return new StartError(`not allowed to listen on port ${port}; set ${setting} to a port above 1023`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new StartError(`${host} is no address of this machine; set HOST to one, e.g. 127.0.0.1 or 0.0.0.0`);
    default:
      return new StartError(`cannot listen on ${host}:${port} (${setting}): ${error.message}`);
  }
}
