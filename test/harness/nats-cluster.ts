import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../scripts/cluster/free-port.ts";
import { type NatsServer, startNatsServer, TEST_CONFIG } from "./nats-server.ts";
import { startTcpProxy, type TcpProxy } from "./tcp-proxy.ts";
import { tempFolder } from "./temp-folder.ts";

export const NATS_SERVERS = [0, 1, 2] as const;

/** Three nats-server processes that store streams together. Every link, between two of them or of one client to one of them, can be cut. */
export interface NatsCluster extends AsyncDisposable {
  servers: readonly NatsServer[];
  /** The links of one client, in the order of the servers. */
  linksOf(client: string): readonly TcpProxy[];
  /** NATS_URL for a client, over its own links. */
  urlFor(client: string): string;
  /** The link between two servers. */
  route(a: number, b: number): TcpProxy;
  /** The two links of a server to the others. */
  routesOf(server: number): TcpProxy[];
}

/** Nothing listens there: servers learn one another's advertised address, and would connect without the proxies. */
const NOWHERE = "127.0.0.1:1";

/**
 * Starts the cluster.
 * @param clients the names of the processes that will connect to it.
 */
export async function startNatsCluster(clients: readonly string[]): Promise<NatsCluster> {
  await using opened = new AsyncDisposableStack();
  const routePorts = [await freePort(), await freePort(), await freePort()];
  const routes = new Map<string, TcpProxy>();
  const servers: NatsServer[] = [];
  for (const index of NATS_SERVERS) {
    // Each server connects to those before it, so that there is one link between any two.
    const urls: string[] = [];
    for (const other of NATS_SERVERS.slice(0, index)) {
      const proxy = opened.use(await startTcpProxy(routePorts[other] ?? 0));
      routes.set(`${other}-${index}`, proxy);
      urls.push(`nats://127.0.0.1:${proxy.port}`);
    }
    const folder = tempFolder();
    const config = join(folder, "cluster.conf");
    writeFileSync(
      config,
      `include "${TEST_CONFIG}"
server_name: nats-${index}
cluster {
  name: test, listen: "127.0.0.1:${routePorts[index]}", cluster_advertise: "${NOWHERE}", no_advertise: true
  routes: ${JSON.stringify(urls)}
}
`,
    );
    servers.push(opened.use(await startNatsServer({ config, folder })));
  }
  const links = new Map<string, TcpProxy[]>();
  for (const client of clients)
    links.set(client, await Promise.all(servers.map(async ({ port }) => opened.use(await startTcpProxy(port)))));
  const held = opened.move();
  const linksOf = (client: string) => links.get(client) ?? [];
  const route = (a: number, b: number) => {
    const proxy = routes.get(`${Math.min(a, b)}-${Math.max(a, b)}`);
    if (!proxy) throw new Error(`no link between ${a} and ${b}`);
    return proxy;
  };
  return {
    servers,
    linksOf,
    urlFor: (client) =>
      linksOf(client)
        .map(({ port }) => `nats://127.0.0.1:${port}`)
        .join(","),
    route,
    routesOf: (server) => NATS_SERVERS.filter((other) => other !== server).map((other) => route(server, other)),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
