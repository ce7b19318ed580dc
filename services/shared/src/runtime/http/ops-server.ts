import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Registry } from "@prometheus-io/client";
import { NATS_CONNECTED } from "../observability/metrics.ts";
import type { Sample } from "../observability/readings.ts";
import { countConnections, requestLimits } from "./client-limits.ts";
import { closeHttpServer } from "./close-server.ts";
import { listen } from "./listen.ts";

/** Limits of an ops port. Prometheus, health checks and the console need only a few connections. */
export const OPS_LIMITS = {
  maxConnections: 256,
  maxConnectionsPerAddress: 64,
  maxHeaderBytes: 8 * 1_024,
  /** For a complete request to arrive; for the first one, from the start of the connection. */
  requestTimeoutMs: 5_000,
  /** For a response to be read. */
  responseTimeoutMs: 10_000,
} as const;

export type OpsLimits = { readonly [Name in keyof typeof OPS_LIMITS]: number };

/** Without NATS, a ready process serves what it knows, so health checks must not stop its requests. */
const READY_WITHOUT_NATS = "ready, but without NATS: it isn't connected, or NATS isn't responding\n";

/** Short: closing shouldn't wait for a scrape. */
const CLOSE_TIMEOUT_MS = 100;

/**
 * The operator's HTTP port: `/healthz` (the process is alive), `/readyz` (it can serve), `/metrics`
 * (Prometheus text), and `/status` (a summary as JSON). Never the public port.
 * Rendering metrics takes at most a tenth of a core, regardless of the number of requests.
 * @param options.status identifies the process.
 * @param options.limits for tests: overrides OPS_LIMITS.
 * @throws StartError if the port is in use.
 */
export async function startOpsServer(options: {
  host: string;
  port: number;
  registry: Registry;
  ready: () => boolean;
  status: { service: string; version: string };
  limits?: Partial<OpsLimits>;
}) {
  const limits: OpsLimits = { ...OPS_LIMITS, ...options.limits };
  const renderMetrics = paceRendering(() => options.registry.metrics());
  const renderStatus = paceRendering(() => statusOf(options));
  /** Connections with a response in progress. */
  const busy = new WeakSet<Socket>();

  const serve = (req: IncomingMessage, res: ServerResponse) => {
    const respond = (status: number, body: string, type = "text/plain; charset=utf-8") => {
      res.writeHead(status, { "Content-Type": type, "Cache-Control": "no-store" }).end(body);
    };
    const failed = (error: Error) => {
      process.emitWarning(error);
      respond(500, "metrics failed; see the service's log\n");
    };
    switch (req.url) {
      case "/healthz":
        return respond(200, "ok\n");
      case "/readyz":
        if (!options.ready()) return respond(503, "not ready\n");
        isWithoutNats(options.registry).then(
          (isWithout) => respond(200, isWithout ? READY_WITHOUT_NATS : "ready\n"),
          failed,
        );
        return;
      case "/metrics":
        renderMetrics().then((text) => respond(200, text, options.registry.contentType), failed);
        return;
      case "/status":
        renderStatus().then((status) => respond(200, `${JSON.stringify(status)}\n`, "application/json"), failed);
        return;
      default:
        respond(404, "not found: try /healthz, /readyz, /metrics or /status\n");
    }
  };
  const server = createServer(requestLimits(limits), (req, res) => {
    const { socket } = req;
    // Monitoring clients don't pipeline, and each pipelined request would hold a response.
    if (busy.has(socket)) return socket.destroy();
    busy.add(socket);
    const timer = setTimeout(() => socket.destroy(), limits.responseTimeoutMs);
    res.once("close", () => {
      clearTimeout(timer);
      busy.delete(socket);
    });
    serve(req, res);
  });
  boundConnections(server, limits);
  await listen(server, { host: options.host, port: options.port, setting: "OPS_PORT" });
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () => closeHttpServer(server, CLOSE_TIMEOUT_MS),
  };
}

async function isWithoutNats(registry: Registry): Promise<boolean> {
  const gauge = await registry.getSingleMetric(NATS_CONNECTED)?.get();
  return gauge?.values[0]?.value === 0;
}

/** Closes connections beyond the limits immediately. */
function boundConnections(
  server: ReturnType<typeof createServer>,
  { maxConnections, maxConnectionsPerAddress }: OpsLimits,
): void {
  server.maxConnections = maxConnections;
  const count = countConnections();
  server.on("connection", (socket) => {
    if (count(socket.remoteAddress ?? "", socket) > maxConnectionsPerAddress) socket.destroy();
  });
}

/** Each rendering is followed by a pause of nine times its duration, so rendering takes at most a tenth of a core. */
const REST_FACTOR = 9;
const MAX_REST_MS = 1_000;

/**
 * Limits the CPU time of rendering, regardless of the number of requests. Requests that arrive during a rendering or the pause
 * after it share the next rendering, so no response is out of date.
 * @param clock monotonic, in milliseconds.
 */
export function paceRendering<Result>(
  render: () => Promise<Result>,
  clock: () => number = () => performance.now(),
): () => Promise<Result> {
  let next: Promise<Result> | null = null;
  let running: Promise<unknown> = Promise.resolve();
  let restedAtMs = Number.NEGATIVE_INFINITY;

  const renderNext = async (): Promise<Result> => {
    await running;
    const restMs = restedAtMs - clock();
    if (restMs > 0) await delay(restMs);
    next = null;
    const startMs = clock();
    const rendering = render();
    running = rendering.then(
      () => {},
      () => {},
    );
    try {
      return await rendering;
    } finally {
      const endMs = clock();
      restedAtMs = endMs + Math.min(MAX_REST_MS, REST_FACTOR * (endMs - startMs));
    }
  };
  return () => {
    next ??= renderNext();
    return next;
  };
}

/** A process's status, as served at `/status` of its ops port. */
export interface Status {
  service: string;
  version: string;
  /** Node.js, e.g. `v24.21.0`. */
  node: string;
  ready: boolean;
  startedUnixSeconds: number;
  /** All our gauges: see docs/monitor.md. */
  gauges: Sample[];
}

const OUR_PREFIX = "geolookup_";

/** A process's current status. */
export async function statusOf(options: {
  registry: Registry;
  ready: () => boolean;
  status: { service: string; version: string };
}): Promise<Status> {
  const metrics = await options.registry.getMetricsAsJSON();
  const gauges = metrics
    // The types say that `type` is a number; it is its name.
    .filter(({ name, type }) => name.startsWith(OUR_PREFIX) && String(type) === "gauge")
    .flatMap(({ name, values }) => values.map(({ labels, value }) => ({ name, labels: textsOf(labels), value })));
  return {
    ...options.status,
    node: process.version,
    ready: options.ready(),
    startedUnixSeconds: Math.round(performance.timeOrigin / 1_000),
    gauges,
  };
}

function textsOf(labels: Partial<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));
}
