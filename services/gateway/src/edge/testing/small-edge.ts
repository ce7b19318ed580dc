import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Locator } from "@geolookup/shared/domain/locate.ts";
import { type Place, UNKNOWN_PLACE } from "@geolookup/shared/domain/record.ts";
import { recordText, UNKNOWN_TEXT } from "@geolookup/shared/domain/record-text.ts";
import { createCallerAddress, parseTrustProxy } from "@geolookup/shared/runtime/http/client-address.ts";
import { Registry } from "@prometheus-io/client";
import { pino } from "pino";
import { type EdgeConfig, HEADER_OF } from "../edge-config.ts";
import { createEdgeDecide } from "../edge-decision.ts";
import { createEdgeMetrics } from "../edge-metrics.ts";
import { createEdgeServer, type EdgeSettings } from "../edge-server.ts";

/** A place in an invented city. */
export const PLACE: Readonly<Place> = {
  ...UNKNOWN_PLACE,
  country: "CH",
  countryName: "Switzerland",
  continent: "EU",
  region: "Zürich",
  city: "Zürich",
  timezone: "Europe/Zurich",
};

/** A locator that finds PLACE for some addresses, and nothing for others. */
export function locatorOf(...addresses: readonly string[]): Locator {
  const record = recordText(PLACE);
  return {
    locate: (ip) =>
      addresses.includes(ip) ? { record, reason: "found" } : { record: UNKNOWN_TEXT, reason: "not_found" },
  };
}

/** The edge port's server on a free port, in front of a fake locator. It trusts loopback. */
export async function startSmallEdge(
  options: { edge?: Partial<EdgeConfig>; settings?: Partial<EdgeSettings>; locator?: Locator } = {},
) {
  const registry = new Registry();
  const trusts = parseTrustProxy("loopback");
  const preset = options.edge?.preset ?? "geo";
  const fields = Object.keys(HEADER_OF[preset]) as EdgeConfig["fields"];
  const isExempt = () => false;
  const base = {
    isExempt,
    host: "",
    port: 0,
    grpcPort: null,
    preset,
    fields,
    cacheSeconds: null,
    token: null,
    rules: null,
  };
  const edge: EdgeConfig = { ...base, ...options.edge };
  const { server, drain } = createEdgeServer(
    {
      cacheSeconds: edge.cacheSeconds,
      docsUrl: () => "http://docs.test",
      addressOf: createCallerAddress(trusts),
      trusts,
      maxInFlight: 10,
      maxConnections: 1_000,
      keepAliveSeconds: 620,
      ipv6LimitPrefix: 64,
      ...options.settings,
    },
    {
      decide: createEdgeDecide(edge, options.locator ?? locatorOf("44.0.0.1", "2a00::1")),
      metrics: createEdgeMetrics(registry),
    },
    { log: pino({ level: "silent" }), clock: () => 0 },
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  return {
    server,
    drain,
    url: `http://127.0.0.1:${port}`,
    /** A connection on which `text` has been sent. */
    open: async (text: string): Promise<Socket> => {
      const socket = connect(port, "127.0.0.1").on("error", () => {});
      sockets.push(socket);
      await once(socket, "connect");
      socket.write(text, "latin1");
      return socket;
    },
    /** The value of a counter with these labels. */
    count: async (name: string, ...labels: readonly string[]) => {
      const { values = [] } = (await registry.getSingleMetric(name)?.get()) ?? {};
      const isMeant = (own: object) => labels.every((label) => Object.values(own).includes(label));
      return values.filter((each) => isMeant(each.labels)).reduce((sum, { value }) => sum + value, 0);
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
