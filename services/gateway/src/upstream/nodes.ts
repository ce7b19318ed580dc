import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { parseGrpcTarget } from "@geolookup/shared/runtime/env/addresses.ts";
import type { Method, SecurePeer } from "@geolookup/shared/runtime/grpc/client.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import grpc from "@grpc/grpc-js";
import { callFirst } from "./hedge.ts";
import { type GrpcNode, openNode } from "./node.ts";

const RESOLVE_INTERVAL_MS = 1_000;
/** A node that is late or restarts is worth waiting for, until it has been silent for so long. */
const MAX_SILENT_MS = 5_000;

/** The processes behind one gRPC target. Calls are hedged, so that a failing node isn't noticed. */
export interface GrpcNodes extends Disposable {
  /**
   * Calls an idempotent unary method on one node, and on another if that one fails or is late.
   * @throws ServiceError; immediately if no node has responded for the whole deadline.
   */
  call<Request, Response>(method: Method<Request, Response>, request: NoInfer<Request>): Promise<Response>;
  /** Calls every node once. @returns the responses of those that responded within the deadline; never rejects. */
  callEach<Request, Response>(method: Method<Request, Response>, request: NoInfer<Request>): Promise<Response[]>;
  count(): { responding: number; unresponsive: number };
  /** How many nodes are reached and aren't behind. One that stops responding counts for another 5 s. */
  countCurrent(): number;
}

/**
 * Opens the nodes of a target, each with its own channel, and follows the target's addresses. gRPC's round_robin balances
 * calls too, but can't send a second call to a *different* node, and doesn't notice a late node before its connection fails.
 * @param options.target any gRPC target, e.g. `dns:///geo:50051` or `ipv4:127.0.0.1:1,127.0.0.1:2`.
 * @param options.peer what must be at each address; undefined: anything, without TLS.
 * @param options.deadlineMs for a call with all its attempts.
 * @param options.hedgeAfterMs how long a node may take before another is called too.
 * @param options.isBehind whether a response shows that its node knows less than others. It is then used only if no other responds.
 * @param options.onHedge called for each call to another node because the first is late.
 * @throws Error if the target's scheme isn't supported by gRPC.
 */
export function openNodes(options: {
  target: string;
  peer?: SecurePeer | undefined;
  deadlineMs: number;
  hedgeAfterMs: number;
  isBehind?: (response: unknown) => boolean;
  onHedge: () => void;
  log: Logger;
}): GrpcNodes {
  const { target, peer, deadlineMs, hedgeAfterMs, isBehind = () => false, onHedge, log } = options;
  let nodes: GrpcNode[] = [];
  let turn = 0;
  /** Since when no node responds (monotonic); null while one does. */
  let downSinceMs: number | null = performance.now();

  const onChange = () => {
    if (nodes.some(({ isResponding }) => isResponding)) downSinceMs = null;
    else downSinceMs ??= performance.now();
  };
  const setTargets = (targets: ReadonlySet<string>) => {
    const [kept, gone] = [nodes.filter(({ key }) => targets.has(key)), nodes.filter(({ key }) => !targets.has(key))];
    const known = new Set(kept.map(({ key }) => key));
    const added = [...targets].filter((key) => !known.has(key));
    nodes = [...kept, ...added.map((key) => openNode({ target: key, peer, onChange, log }))];
    for (const node of gone) node[Symbol.dispose]();
    onChange();
  };
  /** Why the target can't be resolved, as last logged. */
  let loggedReason: string | null = null;
  const logResolution = (reason: string | null) => {
    if (reason === loggedReason) return;
    loggedReason = reason;
    if (reason === null) log.info({ target }, "service addresses resolved again");
    else log.warn({ target, reason }, "service addresses not resolved; keeping the known ones");
  };
  const resolver = grpc.experimental.createResolver(
    parseGrpcTarget(target),
    (endpoints) => {
      const targets = new Set(endpoints.ok ? endpoints.value.flatMap(({ addresses }) => addresses.map(targetOf)) : []);
      // If resolution fails, the nodes stay.
      if (targets.size > 0) setTargets(targets);
      logResolution(targets.size > 0 ? null : endpoints.ok ? "no address" : endpoints.error.details);
      return true;
    },
    {
      "grpc.dns_min_time_between_resolutions_ms": RESOLVE_INTERVAL_MS,
      // By default, the resolver waits longer after each failure, up to two minutes.
      "grpc.initial_reconnect_backoff_ms": RESOLVE_INTERVAL_MS,
      "grpc.max_reconnect_backoff_ms": RESOLVE_INTERVAL_MS,
      "grpc.service_config_disable_resolution": 1,
    },
  );
  resolver.updateResolution();
  const timer = setInterval(() => resolver.updateResolution(), RESOLVE_INTERVAL_MS);
  timer.unref();

  const isCurrent = (node: GrpcNode) => !node.isBehind && node.silentMs < MAX_SILENT_MS;
  const judge = (node: GrpcNode, response: unknown) => {
    node.isBehind = isBehind(response);
    return node.isBehind;
  };
  const noResponse = () => new ServiceError("unavailable", `no node of ${target} is responding`);
  return {
    call: async <Request, Response>(method: Method<Request, Response>, request: NoInfer<Request>) => {
      // Nodes known to be down aren't waited for: health checks notice when one is back.
      const timeoutMs =
        downSinceMs === null ? deadlineMs : Math.min(deadlineMs, downSinceMs + deadlineMs - performance.now());
      if (timeoutMs <= 0) throw noResponse();
      turn += 1;
      return callFirst<GrpcNode, Response>(
        {
          next: (tried, why) => {
            const eligible = why === "behind" ? nodes.filter(isCurrent) : nodes;
            const node = chooseNode(eligible, tried, turn, why === "slow");
            if (node && why === "slow") onHedge();
            return node;
          },
          call: (node, remainingMs, done) => node.call(method, request, remainingMs, done),
          late: (node) => node.markSilent(),
          isBehind: judge,
          mayKnowMore: isCurrent,
        },
        { timeoutMs, hedgeAfterMs },
        noResponse,
      );
    },
    callEach: async <Request, Response>(method: Method<Request, Response>, request: NoInfer<Request>) => {
      const responses = await Promise.all(
        nodes.map(
          (node) =>
            new Promise<Response | undefined>((resolve) => {
              node.call(method, request, deadlineMs, (_error, response) => {
                if (response !== undefined) judge(node, response);
                resolve(response);
              });
            }),
        ),
      );
      return responses.filter((response) => response !== undefined);
    },
    countCurrent: () => nodes.filter(isCurrent).length,
    count: () => {
      const responding = nodes.filter((node) => node.isResponding && node.isConnected).length;
      return { responding, unresponsive: nodes.length - responding };
    },
    [Symbol.dispose]: () => {
      clearInterval(timer);
      resolver.destroy();
      for (const node of nodes) node[Symbol.dispose]();
      nodes = [];
    },
  };
}

function targetOf(address: grpc.experimental.SubchannelAddress): string {
  if ("path" in address) return `unix:${address.path}`;
  return address.host.includes(":") ? `ipv6:[${address.host}]:${address.port}` : `ipv4:${address.host}:${address.port}`;
}

/** The state of a node. */
export interface NodeState {
  /** Whether it responded to its last call, or to a health check since then. */
  isResponding: boolean;
  isConnected: boolean;
  /** Whether others know more, as its last response showed. */
  isBehind: boolean;
}

/**
 * Chooses the node to call: round-robin among those that respond and are connected; otherwise one that responds; otherwise,
 * unless `respondingOnly`, any. Of those that respond, one that is behind is the last choice.
 * @param turn increases by one with every call.
 * @returns undefined if every eligible node was tried.
 */
export function chooseNode<Node extends NodeState>(
  nodes: readonly Node[],
  tried: ReadonlySet<Node>,
  turn: number,
  respondingOnly: boolean,
): Node | undefined {
  let best: Node | undefined;
  let bestRank = respondingOnly ? 0 : -1;
  for (let offset = 0; offset < nodes.length; offset += 1) {
    const node = nodes[(turn + offset) % nodes.length] as Node;
    if (tried.has(node)) continue;
    const rank = node.isResponding ? (node.isBehind ? 1 : 3) + Number(node.isConnected) : 0;
    if (rank === 4) return node;
    if (rank > bestRank) {
      best = node;
      bestRank = rank;
    }
  }
  return best;
}
