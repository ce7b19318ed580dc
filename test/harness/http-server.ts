import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export interface HttpServer extends AsyncDisposable {
  /** `http://HOST:PORT` */
  url: string;
}

/**
 * Serves HTTP on a free port of this machine, such as for the fake of a service.
 * @param host its name in the URL. By default, only loopback reaches it.
 */
export async function serveHttp(handle: RequestListener, host = "127.0.0.1"): Promise<HttpServer> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, host === "127.0.0.1" ? host : "0.0.0.0", resolve));
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
