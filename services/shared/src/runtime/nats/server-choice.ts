import type { RequestObserver } from "./jet-stream.ts";

/** The client's, for an address without a port. */
const DEFAULT_PORT = 4222;
/** A server that isn't responding to so many JetStream requests in a row is left: it may be cut off from the servers that have the streams. */
export const MAX_UNANSWERED = 3;
/** How long to stay on a server, whatever happens: after a partition, the streams' new leaders are elected within seconds. */
const MIN_STAY_MS = 5_000;

/** The order in which to try servers: at random, but those that were left come last, the latest one at the end. */
export function createServerOrder(random: () => number = Math.random): {
  order(servers: readonly string[]): string[];
  /** @param server as the client names it: its host and port. */
  left(server: string): void;
} {
  const leftServers: string[] = [];
  const rank = (server: string) => leftServers.indexOf(hostAndPort(server));
  return {
    order: (servers) =>
      servers
        .map((server) => ({ server, rank: rank(server), tie: random() }))
        .sort((a, b) => a.rank - b.rank || a.tie - b.tie)
        .map(({ server }) => server),
    left: (server) => {
      const at = leftServers.indexOf(server);
      if (at >= 0) leftServers.splice(at, 1);
      leftServers.push(server);
    },
  };
}

/** Of an address with or without a scheme and a port. */
function hostAndPort(server: string): string {
  const { hostname, port } = new URL(`http://${server.replace(/^\w+:\/\//, "")}`);
  return `${hostname}:${port || DEFAULT_PORT}`;
}

/**
 * Counts unanswered requests in a row, of reads and of writes.
 * @param hasOthers whether there is another server to go to.
 */
export function countUnanswered(hasOthers: () => boolean): {
  observe: RequestObserver;
  /** False after too many, until a request gets a response. */
  isResponding: () => boolean;
  tooMany: Promise<void>;
} {
  const { promise: tooMany, resolve } = Promise.withResolvers<void>();
  const counts = { read: 0, write: 0 };
  const openedMs = performance.now();
  const observe: RequestObserver = (kind, isAnswered) => {
    counts[kind] = isAnswered ? 0 : counts[kind] + 1;
    if (counts[kind] >= MAX_UNANSWERED && performance.now() - openedMs >= MIN_STAY_MS && hasOthers()) resolve();
  };
  return { observe, isResponding: () => Math.max(counts.read, counts.write) < MAX_UNANSWERED, tooMany };
}
