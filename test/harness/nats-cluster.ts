import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { freePort } from "../../scripts/cluster/free-port.ts";
import { type NatsServer, setUpNats, startNatsServer, TEST_CONFIG } from "./nats-server.ts";
import { startTcpProxy, type TcpProxy } from "./tcp-proxy.ts";
import { tempFolder } from "./temp-folder.ts";
import { waitFor } from "./wait-for.ts";

const NATS_SERVERS = [0, 1, 2] as const;

/** Three nats-server processes that store streams together. Every link, between two of them or of one client to one of them, can be cut. */
export interface NatsCluster extends AsyncDisposable {
  servers: readonly NatsServer[];
  /** The links of one client, in the order of the servers. */
  linksOf(client: string): readonly TcpProxy[];
  /** NATS_URL for a client, over its own links. */
  urlFor(client: string): string;
  /** The links of a server to the others. */
  routesOf(server: number): TcpProxy[];
  /** Waits until every server has everything that the streams hold. */
  untilCurrent(): Promise<void>;
}

/** Nothing listens there: servers learn one another's advertised address, and would connect without the proxies. */
const NOWHERE = "127.0.0.1:1";
const ELECTION_MS = 30_000;

/**
 * Starts the cluster.
 * @param clients the names of the processes that will connect to it.
 */
export async function startNatsCluster(clients: readonly string[]): Promise<NatsCluster> {
  await using opened = new AsyncDisposableStack();
  const routePorts = [await freePort(), await freePort(), await freePort()];
  const routes: { between: number[]; proxy: TcpProxy }[] = [];
  const servers: NatsServer[] = [];
  for (const index of NATS_SERVERS) {
    // Each connects to the others, and keeps one connection with each.
    const urls: string[] = [];
    for (const other of NATS_SERVERS.filter((each) => each !== index)) {
      const proxy = opened.use(await startTcpProxy(routePorts[other] ?? 0));
      routes.push({ between: [index, other], proxy });
      urls.push(`nats://127.0.0.1:${proxy.port}`);
    }
    const folder = tempFolder();
    const config = join(folder, "cluster.conf");
    writeFileSync(
      config,
      `${readFileSync(TEST_CONFIG, "utf8")}
server_name: nats-${index}
cluster {
  name: test, listen: "127.0.0.1:${routePorts[index]}", cluster_advertise: "${NOWHERE}", no_advertise: true
  routes: ${JSON.stringify(urls)}
}
`,
    );
    servers.push(opened.use(await startNatsServer({ config, folder })));
  }
  // They elect a leader first.
  await waitFor(
    "the streams",
    () => setUpNats(servers[0]?.url ?? "", false, "setup", 3).then(() => true),
    ELECTION_MS,
    500,
  );
  const links = new Map<string, TcpProxy[]>();
  for (const client of clients)
    links.set(client, await Promise.all(servers.map(async ({ port }) => opened.use(await startTcpProxy(port)))));
  const held = opened.move();
  const linksOf = (client: string) => links.get(client) ?? [];
  return {
    servers,
    linksOf,
    urlFor: (client) =>
      linksOf(client)
        .map(({ port }) => `nats://127.0.0.1:${port}`)
        .join(","),
    untilCurrent: async () => {
      await using connection = await connect({ servers: servers.map(({ url }) => url) });
      const isCurrent = async () => {
        const manager = await jetstreamManager(connection);
        for (const stream of ["KEYS", "USAGE"]) {
          const { cluster } = await manager.streams.info(stream);
          if (!cluster?.leader || !cluster.replicas?.every(({ current }) => current)) return false;
        }
        return true;
      };
      await waitFor("the servers to agree", () => isCurrent().catch(() => false), ELECTION_MS, 200);
    },
    routesOf: (server) => routes.filter(({ between }) => between.includes(server)).map(({ proxy }) => proxy),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
