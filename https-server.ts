import { readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { testAuthority } from "./certificates.ts";
import type { HttpServer } from "./http-server.ts";

/** Serves HTTPS on a free loopback port. Clients that are given the test authority's certificate trust it. */
export async function serveHttps(handle: RequestListener, names?: readonly string[]): Promise<HttpServer> {
  const { certFile, keyFile } = testAuthority().issue(names ? { names } : {});
  const server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
