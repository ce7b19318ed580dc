import type { AddressInfo } from "node:net";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { Locator } from "@geolookup/shared/domain/locate.ts";
import { createCallerAddress, parseTrustProxy } from "@geolookup/shared/runtime/http/client-address.ts";
import { closeHttpServer } from "@geolookup/shared/runtime/http/close-server.ts";
import { listen } from "@geolookup/shared/runtime/http/listen.ts";
import type { Operations } from "@geolookup/shared/runtime/lifecycle/operations.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { PublicPortConfig } from "../config.ts";
import { createEdgeServer } from "./edge-server.ts";

/** Requests take at most as long as a lookup. */
const DRAIN_TIMEOUT_MS = 1_000;

/**
 * Opens the edge port, if it is configured.
 * @param context.docsUrl base address of the docs site, for links in errors.
 * @returns its port; null if there is none.
 * @throws StartError if the port is in use.
 */
export async function openEdgePort(
  config: PublicPortConfig,
  parts: { locator: Locator },
  context: Pick<Operations, "log" | "registry"> & { clock: Clock; docsUrl: string },
): Promise<{ port: number | null } & AsyncDisposable> {
  const { edge } = config;
  if (edge === null) return { port: null, [Symbol.asyncDispose]: async () => {} };
  for (const [name, port] of [
    ["PORT", config.port],
    ["OPS_PORT", config.opsPort],
  ] as const)
    if (edge.port === port && port !== 0)
      throw new StartError(`EDGE_PORT and ${name} are both ${port}; use a different port for each`);
  if (config.trustProxy.trim() === "none")
    context.log.warn("edge port trusts no proxy: set TRUST_PROXY to its address, or it is located instead of visitors");
  const trusts = parseTrustProxy(config.trustProxy);
  const { server, drain } = createEdgeServer(
    {
      edge,
      docsUrl: () => context.docsUrl,
      addressOf: createCallerAddress(trusts),
      trusts,
      maxInFlight: config.maxInFlight,
      maxConnections: config.maxConnections,
      ipv6LimitPrefix: config.ipv6LimitPrefix,
    },
    parts,
    context,
  );
  const { reusePort = false } = config;
  await listen(server, { host: edge.host, port: edge.port, setting: "EDGE_PORT", reusePort });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      drain();
      await closeHttpServer(server, DRAIN_TIMEOUT_MS);
    },
  };
}
