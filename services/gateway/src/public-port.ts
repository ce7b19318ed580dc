import type { AddressInfo } from "node:net";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { closeHttpServer } from "@geolookup/shared/runtime/http/close-server.ts";
import { listen } from "@geolookup/shared/runtime/http/listen.ts";
import type { Operations } from "@geolookup/shared/runtime/lifecycle/operations.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { createApp } from "./app.ts";
import type { EdgeConfig } from "./config.ts";
import type { LookupParts } from "./lookup.ts";
import { createCallerAddress, parseTrustProxy } from "./request/client-address.ts";
import { openCertificateFiles } from "./tls/certificate-files.ts";

/** How long requests under way may take to finish once the edge closes. */
const DRAIN_TIMEOUT_MS = 5_000;

export interface Edge {
  /** Base address of the API on this machine, e.g. `http://127.0.0.1:8080`; `https:` when it speaks TLS. */
  url: string;
  docsUrl: string;
  port: number;
  /** Readiness off, finish what is under way, close. */
  close(): Promise<void>;
}

/**
 * Opens the public port over ready parts, and says that it is ready.
 * @throws StartError when the port is taken, or the certificate cannot be used.
 */
export async function openEdge(
  config: EdgeConfig,
  parts: LookupParts,
  context: Pick<Operations, "log" | "registry" | "setReady"> & { clock: Clock; portalUrl: string | null },
): Promise<Edge> {
  if (config.port === config.opsPort && config.port !== 0)
    throw new StartError(`PORT and OPS_PORT are both ${config.port}; give each a port of its own`);
  await using opened = new AsyncDisposableStack();
  const certificate =
    config.tls && opened.adopt(await openCertificateFiles({ ...config.tls, ...context }), (files) => files.close());
  const trusts = parseTrustProxy(config.trustProxy);
  const scheme = certificate ? "https" : "http";
  const docsUrl = () => config.docsUrl ?? `${scheme}://docs.localhost:${port}`;
  const app = createApp(
    {
      docsUrl,
      portalUrl: context.portalUrl,
      addressOf: createCallerAddress(trusts),
      trusts,
      ipv6LimitPrefix: config.ipv6LimitPrefix,
      keyless: config.keyless,
      accessLog: config.accessLog,
      maxInFlight: config.maxInFlight,
      maxConnections: config.maxConnections,
      certificate: certificate?.current() ?? null,
    },
    parts,
    context,
  );
  certificate?.onRenewed(app.setCertificate);
  await listen(app.server, { host: config.host, port: config.port, setting: "PORT" });
  const { port } = app.server.address() as AddressInfo;
  opened.defer(async () => {
    context.setReady(false);
    app.drain();
    await closeHttpServer(app.server, DRAIN_TIMEOUT_MS);
  });
  checkDocsHost(docsUrl(), [`${hostInUrl(config.host)}:${port}`, `localhost:${port}`]);
  context.setReady(true);
  const held = opened.move();
  return {
    url: `${scheme}://${hostInUrl(config.host)}:${port}`,
    docsUrl: docsUrl(),
    port,
    close: () => held.disposeAsync(),
  };
}

/** The docs host takes all its requests for the portal: on an address of the API there would be no API. */
function checkDocsHost(docsUrl: string, apiHosts: readonly string[]): void {
  const { host } = new URL(docsUrl);
  if (apiHosts.includes(host))
    throw new StartError(`DOCS_URL names ${host}, the API's own host; give the docs a host name of their own`);
}

/** The host to use in an address that is shown: a wildcard is no address to call. */
export function hostInUrl(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
