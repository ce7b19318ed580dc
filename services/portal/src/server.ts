import type { AddressInfo } from "node:net";
import { systemClock } from "@geolookup/shared/domain/clock.ts";
import { closeHttpServer } from "@geolookup/shared/runtime/http/close-server.ts";
import { listen } from "@geolookup/shared/runtime/http/listen.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgeted } from "@geolookup/shared/runtime/observability/log-budget.ts";
import { openOperations } from "@geolookup/shared/runtime/service/operations.ts";
import { PORTAL_PAGES } from "@geolookup/shared/runtime/tls/allowed-callers.ts";
import { type InternalTls, openInternalTls } from "@geolookup/shared/runtime/tls/internal-tls.ts";
import { createInternalHttpServer } from "@geolookup/shared/runtime/tls/secure-server.ts";
import { Counter, Histogram, type Registry } from "@prometheus-io/client";
import { Router } from "express";
import { accountRoutes } from "./account/account-routes.ts";
import { adminApiRouter } from "./admin-api/api-router.ts";
import { type AdminApiSettings, idempotencyStore, openAdminPort } from "./admin-api/open-admin-api.ts";
import { createPortal } from "./app.ts";
import type { PortalConfig } from "./config.ts";
import { type Console, openConsole } from "./console/console.ts";
import { type ConsoleChoice, consoleNotSetUp, withoutTls } from "./console/settings.ts";
import { createBackend } from "./deployment/backend.ts";
import { connectDatabases } from "./deployment/databases-client.ts";
import { type DeploymentInfo, deriveApiUrl, hasAccount } from "./deployment/deployment-info.ts";
import { followPlansInForce } from "./deployment/plans-in-force.ts";
import { connectServices, type ServiceSettings } from "./deployment/services.ts";

/** How long requests in progress may take when the portal closes. */
const CLOSE_TIMEOUT_MS = 2_000;

/** Gateways read a whole request before they forward it, so their requests arrive quickly. */
const LISTENER_LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  /** How often Node checks for requests that take longer. */
  connectionsCheckingInterval: 1_000,
  /** Longer than any pause of a busy gateway, which could otherwise send a request on a connection that is being closed. */
  keepAliveTimeout: 65_000,
};
/** A gateway opens at most 120 (docs-site.ts). */
const MAX_CONNECTIONS = 2_000;
/**
 * Node closes a connection without progress in either direction within twice this time. Live updates send a heartbeat
 * every 10 s.
 */
const SILENCE_TIMEOUT_MS = 20_000;

/**
 * Serves the docs site and the console over HTTP. Standalone runs it in its own process on a loopback port.
 * @param options.port 0 lets the system choose.
 * @param options.deployment called for each request, because standalone learns its addresses later.
 * @param options.tls accept only gateways, over TLS. Default: plain HTTP.
 * @throws StartError if the port is taken.
 */
export async function openPortal(options: {
  host: string;
  port: number;
  deployment: () => DeploymentInfo;
  console: ConsoleChoice;
  /** Default: no admin API, and no page for customers. */
  forOthers?: ForOthers;
  log: Logger;
  registry: Registry;
  tls?: InternalTls | null;
}) {
  const { deployment, forOthers, log, registry, tls = null } = options;
  const requests = new Counter({
    name: "geolookup_portal_requests_total",
    help: "Requests to the docs site, by HTTP status.",
    labelNames: ["status"],
    registers: [registry],
  });
  const duration = new Histogram({
    name: "geolookup_portal_request_duration_seconds",
    help: "Time from a request's headers to the end of its response.",
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  });
  await using opened = new AsyncDisposableStack();
  const console = createConsole(options);
  opened.use(console);
  const { api, account } = forOthers ? opened.use(openForOthers(forOthers, options)) : { api: null, account: null };
  const onFault = (error: unknown) => budgeted(log).error({ err: error }, "docs page failed");
  const portal = createPortal(deployment, console.router, onFault, {
    account: hasAccount(deployment().site) ? account : null,
    api: forOthers?.adminApi.onDocsHost ? api : null,
  });
  const server = createInternalHttpServer(LISTENER_LIMITS, { service: PORTAL_PAGES, tls, log }, (req, res) => {
    const startMs = performance.now();
    res.once("finish", () => {
      requests.inc({ status: res.statusCode });
      duration.observe((performance.now() - startMs) / 1000);
    });
    portal(req, res);
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.timeout = SILENCE_TIMEOUT_MS;
  await listen(server, { host: options.host, port: options.port, setting: "PORT" });
  opened.defer(() => closeHttpServer(server, CLOSE_TIMEOUT_MS));
  const { host = "", port = null } = forOthers?.adminApi ?? {};
  const adminPort = api === null || port === null ? null : opened.use(await openAdminPort({ host, port }, api));
  const held = opened.move();
  return {
    port: (server.address() as AddressInfo).port,
    /** Of the admin API, if it has one. */
    ...(adminPort && { adminApiPort: adminPort.port }),
    /** Ends live updates, and lets requests in progress finish for up to 2 s. */
    async [Symbol.asyncDispose]() {
      console.endStreams();
      await held.disposeAsync();
    },
  };
}

/** The admin API, and the page for customers. */
interface ForOthers {
  adminApi: AdminApiSettings;
  services: ServiceSettings;
}

function openForOthers(
  { services: settings }: ForOthers,
  { deployment, log, tls = null }: Pick<Parameters<typeof openPortal>[0], "deployment" | "log" | "tls">,
) {
  const services = connectServices(settings, tls);
  const shared = { services, clock: systemClock, log };
  return {
    api: adminApiRouter({ ...shared, store: idempotencyStore(services), docsUrl: () => deployment().docsUrl }),
    account: accountRoutes({ ...shared, deployment }),
    [Symbol.dispose]: () => services[Symbol.dispose](),
  };
}

/** The console, or what takes its place. If it is off, its paths return 404 like any unknown page. */
function createConsole(options: Parameters<typeof openPortal>[0]): Console {
  const { console, deployment, log, registry, tls = null } = options;
  const without = (router: Router): Console => ({ router, endStreams: () => {}, [Symbol.dispose]: () => {} });
  if (console === "off") return without(Router());
  if ("missing" in console) return without(consoleNotSetUp(console));
  return openConsole({ settings: console, deployment, clock: systemClock, log, registry, tls });
}

/** Starts the portal as a separate process. */
export async function startPortal(config: PortalConfig) {
  await using resources = new AsyncDisposableStack();
  const operations = resources.use(await openOperations("portal", config));
  const { log, registry, opsPort, setReady } = operations;
  const clock = systemClock;
  const tls = resources.use(await openInternalTls(config.internalTls, "portal", { clock, log, registry }));
  const geo = config.geoUrl === null ? null : resources.use(connectDatabases(config.geoUrl, { log, clock, tls }));
  const backend = config.services && createBackend(resources.use(connectServices(config.services, tls)));
  const plans = backend && resources.use(await followPlansInForce(backend.plans, { log, clock }));
  const deployment: DeploymentInfo = {
    docsUrl: config.docsUrl,
    apiUrl: config.apiUrl ?? (config.docsUrl === null ? null : deriveApiUrl(config.docsUrl)),
    demoKey: config.demoKey,
    keyless: config.keyless,
    site: config.site,
    securityContacts: config.securityContacts,
    plans: plans?.current ?? (() => null),
    databases: geo?.databases ?? (async () => null),
    nextRefreshAt: geo?.nextRefreshAt ?? (async () => null),
    report: geo?.report ?? (async () => "unavailable"),
  };
  const portal = await openPortal({
    host: config.host,
    port: config.port,
    deployment: () => deployment,
    console: config.console,
    ...(config.services && { forOthers: { ...config, services: config.services } }),
    log,
    registry,
    tls,
  });
  resources.use(portal);
  resources.defer(() => setReady(false));
  const warning = withoutTls(config.console, config.docsUrl);
  if (warning !== null) log.warn(warning);
  setReady(true);
  const { port, adminApiPort } = portal;
  log.info({ port, opsPort, ...(adminApiPort && { adminApiPort }) }, "ready");
  const opened = resources.move();
  return {
    port: portal.port,
    opsPort,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
