import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Registry } from "prom-client";
import { closeHttpServer } from "./close-http-server.ts";
import { listen } from "./listen.ts";

/** Nobody should wait for a scrape once everything else is closed. */
const CLOSE_TIMEOUT_MS = 100;

/**
 * The operator's HTTP port: `/healthz` (the process lives), `/readyz` (it can serve), `/metrics`
 * (Prometheus text). Never the public port.
 * @throws StartError when the port is taken.
 */
export async function startOpsServer(options: {
  host: string;
  port: number;
  registry: Registry;
  ready: () => boolean;
}) {
  const server = createServer((req, res) => {
    const answer = (status: number, body: string, type = "text/plain; charset=utf-8") => {
      res.writeHead(status, { "Content-Type": type, "Cache-Control": "no-store" }).end(body);
    };
    switch (req.url) {
      case "/healthz":
        return answer(200, "ok\n");
      case "/readyz":
        return options.ready() ? answer(200, "ready\n") : answer(503, "not ready\n");
      case "/metrics":
        options.registry.metrics().then(
          (text) => answer(200, text, options.registry.contentType),
          (error) => {
            process.emitWarning(error);
            answer(500, "metrics failed; the cause is in the service's log\n");
          },
        );
        return;
      default:
        return answer(404, "not found: try /healthz, /readyz or /metrics\n");
    }
  });
  await listen(server, { host: options.host, port: options.port, setting: "OPS_PORT" });
  return {
    port: (server.address() as AddressInfo).port,
    close: () => closeHttpServer(server, CLOSE_TIMEOUT_MS),
  };
}
