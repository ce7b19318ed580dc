import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface OtherOrigin extends AsyncDisposable {
  /** E.g. `http://shop.test:40002`. */
  origin: string;
  /** Serves this document or script at a path from now on. */
  serve(path: string, file: { type: "html" | "javascript"; text: string }): void;
}

/**
 * Another website, on a free loopback port. The test browser resolves hosts in `.test` to it. It has an empty page at `/`.
 */
export async function startOtherOrigin(host: `${string}.test`): Promise<OtherOrigin> {
  const files = new Map([
    ["/", { type: "html", text: "<!doctype html><title>A page</title><link rel=icon href=data:,>" }],
  ]);
  const server = createServer((req, res) => {
    const file = files.get(req.url ?? "");
    if (file) res.setHeader("Content-Type", `text/${file.type}; charset=utf-8`).end(file.text);
    else res.writeHead(404).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://${host}:${(server.address() as AddressInfo).port}`,
    serve: (path, file) => void files.set(path, file),
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
