import { createServer as createHttpServer, type RequestListener, type Server, type ServerOptions } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { closesHandshakes } from "../http/close-server.ts";
import type { Logger } from "../observability/log.ts";
import { budgeted } from "../observability/log-budget.ts";
import { mayCall } from "./allowed-callers.ts";
import type { InternalTls } from "./internal-tls.ts";
import { callersOf, serverOptions, superviseServer } from "./secure-server.ts";

/**
 * An HTTP server for other processes of the deployment.
 * @param context.service what it serves, in the table of allowed callers.
 * @param context.tls only clients that may call the service are accepted, over TLS. Null: anyone, over plain HTTP.
 */
export function createInternalHttpServer(
  options: ServerOptions,
  { service, tls, log }: { service: string; tls: InternalTls | null; log: Logger },
  onRequest: RequestListener,
): Server {
  if (!tls) return createHttpServer(options, onRequest);
  let renewals = 0;
  tls.onRenewed(() => {
    renewals += 1;
  });
  /** How many times the files had changed when a connection was opened. */
  const began = new WeakMap<Socket, number>();
  const server = createHttpsServer({ ...options, ...serverOptions(tls) }, (req, res) => {
    // The new files may no longer trust its client.
    if (began.get(req.socket) !== renewals) res.setHeader("Connection", "close");
    onRequest(req, res);
  });
  superviseServer(server, tls, { port: "HTTP", log });
  server.prependListener("secureConnection", (socket: TLSSocket) => {
    const callers = callersOf(tls, socket);
    if (mayCall(callers, service)) return void began.set(socket, renewals);
    const caller = callers.join(", ") || "none of this deployment's services";
    budgeted(log).warn({ caller }, "HTTP connection refused: the client's certificate doesn't permit it");
    socket.destroy();
  });
  closesHandshakes(server);
  return server;
}
