import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { createCallerOf, parseTrustProxy, standInForLoopback } from "@geolookup/shared/runtime/http/client-address.ts";
import { closeHttpServer } from "@geolookup/shared/runtime/http/close-server.ts";
import { listen } from "@geolookup/shared/runtime/http/listen.ts";
import { trustsMostAddresses } from "@geolookup/shared/runtime/http/trusts-most-addresses.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { exposeGauge } from "@geolookup/shared/runtime/observability/metrics.ts";
import type { Operations } from "@geolookup/shared/runtime/service/operations.ts";
import type { InternalTls } from "@geolookup/shared/runtime/tls/internal-tls.ts";
import { type AppParts, createApp } from "./app.ts";
import { OTHER_DOCS_HOST, type PublicPortConfig } from "./config.ts";
import { openCertificateFiles } from "./tls/certificate-files.ts";

/** How long requests in progress may take to finish when the port closes. */
const DRAIN_TIMEOUT_MS = 5_000;

export interface PublicPort {
  /** Base address of the API on this machine, e.g. `http://127.0.0.1:8080`, or `https:` with TLS. */
  url: string;
  docsUrl: string;
  port: number;
  /** Turns readiness off, finishes requests in progress, and closes. */
  [Symbol.asyncDispose](): Promise<void>;
}

type Context = Pick<Operations, "log" | "registry" | "setReady"> & {
  clock: Clock;
  portalUrl: string | null;
  tls?: InternalTls | null;
};

/**
 * Opens the public port and turns readiness on.
 * @param context.tls for connections to the portal. Default: they have no TLS.
 * @throws StartError if the port is in use, or the certificate is invalid.
 */
export async function openPublicPort(config: PublicPortConfig, parts: AppParts, context: Context): Promise<PublicPort> {
  await using opened = new AsyncDisposableStack();
  const certificate = config.tls && opened.use(await openCertificateFiles({ ...config.tls, ...context }));
  const trusts = parseTrustProxy(config.trustProxy);
  const callerOf = createCallerOf(trusts);
  const scheme = certificate ? "https" : "http";
  const docsUrl = () => config.docsUrl ?? `${scheme}://docs.localhost:${port}`;
  const app = createApp(
    {
      docsUrl,
      portalUrl: context.portalUrl,
      portalTls: context.tls ?? null,
      callerOf: config.devAddress === undefined ? callerOf : standInForLoopback(callerOf, config.devAddress),
      trusts,
      operatorHeader: config.operatorHeader,
      ipv6LimitPrefix: config.ipv6LimitPrefix,
      keyless: config.keyless,
      accuracyHeader: config.accuracyHeader ?? false,
      accessLog: config.accessLog,
      maxInFlight: config.maxInFlight,
      maxConnections: config.maxConnections,
      keepAliveSeconds: config.keepAliveSeconds,
      certificate: certificate?.current() ?? null,
    },
    parts,
    context,
  );
  certificate?.onRenewed(app.setCertificate);
  const { host, reusePort = false } = config;
  await listen(app.server, { host, port: config.port, setting: "PORT", reusePort });
  const { port } = app.server.address() as AddressInfo;
  opened.defer(async () => {
    context.setReady(false);
    app.drain();
    // Load balancers may not have noticed yet.
    if (config.drainDelayMs) await delay(config.drainDelayMs);
    await closeHttpServer(app.server, DRAIN_TIMEOUT_MS);
  });
  checkDocsHost(docsUrl(), [`${hostInUrl(config.host)}:${port}`, `localhost:${port}`]);
  warnAboutSettings(config, context);
  context.setReady(true);
  const held = opened.move();
  return {
    url: `${scheme}://${hostInUrl(config.host)}:${port}`,
    docsUrl: docsUrl(),
    port,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** All requests for the docs host go to the portal, so it can't have an address of the API. */
function checkDocsHost(docsUrl: string, apiHosts: readonly string[]): void {
  const { host } = new URL(docsUrl);
  if (apiHosts.includes(host)) throw new StartError(`DOCS_URL has the API's host, ${host}; ${OTHER_DOCS_HOST}`);
}

/** Warns about settings that are valid, but hardly meant, in the log and, by metrics, in `./geolookup doctor`. */
function warnAboutSettings({ trustProxy, docsUrl, apiUrl }: PublicPortConfig, { log, registry, portalUrl }: Context) {
  const trustsMost = trustsMostAddresses(trustProxy);
  if (trustsMost)
    log.warn(
      "TRUST_PROXY trusts most addresses: callers can choose their address. Set it to the addresses of your proxies",
    );
  exposeGauge(
    registry,
    "geolookup_trust_proxy_too_wide",
    "1 while an entry of TRUST_PROXY trusts half of all addresses or more, so that callers can choose their address.",
    () => Number(trustsMost),
  );
  const isUnchecked =
    portalUrl !== null && docsUrl !== undefined && apiUrl === undefined && !/^docs\./.test(new URL(docsUrl).hostname);
  if (isUnchecked)
    log.warn(
      { docsUrl },
      "DOCS_URL may be the API's own address, which then has no /v1/geo. Set API_URL to check it at start",
    );
  exposeGauge(
    registry,
    "geolookup_docs_url_unchecked",
    "1 while DOCS_URL may be the API's own address: its host doesn't begin with docs., and API_URL isn't set.",
    () => Number(isUnchecked),
  );
}

/** The host to show in addresses: a wildcard can't be called. */
export function hostInUrl(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
