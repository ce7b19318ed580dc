import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Registry } from "prom-client";
import { closeHttpServer } from "./close-http-server.ts";
import { listen } from "./listen.ts";
import { statusOf } from "./status.ts";

/** Nobody should wait for a scrape once everything else is closed. */
const CLOSE_TIMEOUT_MS = 100;

/**
 * The operator's HTTP port: `/healthz` (the process lives), `/readyz` (it can serve), `/metrics`
 * (Prometheus text), `/status` (what matters of all that, as JSON). Never the public port.
 * @param options.status what the process is, without what changes.
 * @throws StartError when the port is taken.
 */
export async function startOpsServer(options: {
  host: string;
  port: number;
  registry: Registry;
  ready: () => boolean;
  status: { service: string; version: string };
}) {
  const server = createServer((req, res) => {
    const answer = (status: number, body: string, type = "text/plain; charset=utf-8") => {
      res.writeHead(status, { "Content-Type": type, "Cache-Control": "no-store" }).end(body);
    };
    const failed = (error: Error) => {
      process.emitWarning(error);
      answer(500, "metrics failed; the cause is in the service's log\n");
    };
    switch (req.url) {
      case "/healthz":
        return answer(200, "ok\n");
      case "/readyz":
        return options.ready() ? answer(200, "ready\n") : answer(503, "not ready\n");
      case "/metrics":
        options.registry.metrics().then((text) => answer(200, text, options.registry.contentType), failed);
        return;
      case "/status":
        statusOf(options).then((status) => answer(200, `${JSON.stringify(status)}\n`, "application/json"), failed);
        return;
      default:
        return answer(404, "not found: try /healthz, /readyz, /metrics or /status\n");
    }
  });
  await listen(server, { host: options.host, port: options.port, setting: "OPS_PORT" });
  return {
    port: (server.address() as AddressInfo).port,
    close: () => closeHttpServer(server, CLOSE_TIMEOUT_MS),
  };
}
