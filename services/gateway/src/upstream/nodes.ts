import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { Method } from "@geolookup/shared/runtime/grpc/client.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import grpc from "@grpc/grpc-js";
import { chooseNode } from "./choose-node.ts";
import { askFirst } from "./hedge.ts";
import { type GrpcNode, openNode } from "./node.ts";
import type { StreamedMethod } from "./node-client.ts";

const RESOLVE_INTERVAL_MS = 1_000;

/** The processes behind one gRPC target, called so that a dead one among them goes unnoticed. */
export interface GrpcNodes {
  /**
   * Calls one unary method (a read: several nodes may carry it out) on one node; on another when
   * that fails or is late.
   * @throws ServiceError; at once when no node has answered anything for the whole deadline.
   */
  call<Request, Response>(method: Method<Request, Response>, request: NoInfer<Request>): Promise<Response>;
  /** How many nodes answer, and how many do not, as far as is known. */
  count(): { answering: number; silent: number };
  close(): void;
}

/**
 * Opens the nodes of a target, each with a channel of its own, and keeps up with the addresses the
 * target has. gRPC's round_robin spreads calls too, but cannot send a second one to a *different*
 * node, nor tell which node is late before its connection is given up.
 * @param options.target any gRPC target, e.g. `dns:///geo:50051` or `ipv4:127.0.0.1:1,127.0.0.1:2`.
 * @param options.deadlineMs for a call with all its attempts.
 * @param options.hedgeAfterMs how long a node may take before another is asked too.
 * @param options.streams methods of streams that carry the questions of unary ones: for methods
 *   that are called all the time. A node that does not know them is asked with calls.
 * @param options.onHedge told of every call that another node is asked for because one is late.
 * @param options.log told when the target's addresses cannot be looked up: once for each reason in a row, and when they can again.
 * @throws Error when the target's scheme is none of gRPC's.
 */
export function openNodes(options: {
  target: string;
  deadlineMs: number;
  hedgeAfterMs: number;
  streams?: readonly StreamedMethod[];
  onHedge: () => void;
  log: Logger;
}): GrpcNodes {
  const { target, deadlineMs, hedgeAfterMs, streams, onHedge, log } = options;
  let nodes: GrpcNode[] = [];
  let turn = 0;
  /** Since when no node answers (monotonic); null while one does. */
  let silentSinceMs: number | null = performance.now();

  const onAnswering = () => {
    if (nodes.some(({ answering }) => answering)) silentSinceMs = null;
    else silentSinceMs ??= performance.now();
  };
  const setTargets = (targets: ReadonlySet<string>) => {
    const [kept, gone] = [nodes.filter(({ key }) => targets.has(key)), nodes.filter(({ key }) => !targets.has(key))];
    const known = new Set(kept.map(({ key }) => key));
    const added = [...targets].filter((key) => !known.has(key));
    nodes = [...kept, ...added.map((key) => openNode({ target: key, streams, onAnswering }))];
    for (const node of gone) node.close();
    onAnswering();
  };
  /** Why the target has no addresses just now, as far as it was told. */
  let toldReason: string | null = null;
  const tellResolution = (reason: string | null) => {
    if (reason === toldReason) return;
    toldReason = reason;
    if (reason === null) log.info({ target }, "the addresses of a service are known again");
    else log.warn({ target, reason }, "the addresses of a service cannot be looked up; those known stay in use");
  };
  const resolver = grpc.experimental.createResolver(
    parseTarget(target),
    (endpoints) => {
      const targets = new Set(endpoints.ok ? endpoints.value.flatMap(({ addresses }) => addresses.map(targetOf)) : []);
      // A name that cannot be resolved just now leaves the nodes as they are.
      if (targets.size > 0) setTargets(targets);
      tellResolution(targets.size > 0 ? null : endpoints.ok ? "no address" : endpoints.error.details);
      return true;
    },
    { "grpc.dns_min_time_between_resolutions_ms": RESOLVE_INTERVAL_MS, "grpc.service_config_disable_resolution": 1 },
  );
  resolver.updateResolution();
  const timer = setInterval(() => resolver.updateResolution(), RESOLVE_INTERVAL_MS);
  timer.unref();

  const noAnswer = () => new ServiceError("unavailable", `no node of ${target} answers`);
  return {
    call: async <Request, Response>(method: Method<Request, Response>, request: NoInfer<Request>) => {
      // Once they are known to be gone nobody waits for them: health checks tell when one is back.
      const timeoutMs =
        silentSinceMs === null ? deadlineMs : Math.min(deadlineMs, silentSinceMs + deadlineMs - performance.now());
      if (timeoutMs <= 0) throw noAnswer();
      turn += 1;
      return askFirst<GrpcNode, Response>(
        {
          next: (tried, why) => {
            const node = chooseNode(nodes, tried, turn, why === "slow");
            if (node && why === "slow") onHedge();
            return node;
          },
          ask: (node, remainingMs, done) => node.ask(method, request, remainingMs, done),
          late: (node) => node.doubt(),
        },
        { timeoutMs, hedgeAfterMs },
        noAnswer,
      );
    },
    count: () => {
      const answering = nodes.filter((node) => node.answering && node.connected).length;
      return { answering, silent: nodes.length - answering };
    },
    close: () => {
      clearInterval(timer);
      resolver.destroy();
      for (const node of nodes) node.close();
      nodes = [];
    },
  };
}

/** Splits a target as gRPC does: a scheme it knows, an authority (a DNS server), the rest; without a scheme, DNS. */
function parseTarget(target: string): grpc.experimental.GrpcUri {
  const match = /^(dns|ipv4|ipv6|unix):(?:\/\/([^/]*)\/)?(.+)$/.exec(target);
  const [, scheme = "dns", authority, path = target] = match ?? [];
  return authority === undefined ? { scheme, path } : { scheme, authority, path };
}

function targetOf(address: grpc.experimental.SubchannelAddress): string {
  if ("path" in address) return `unix:${address.path}`;
  return address.host.includes(":") ? `ipv6:[${address.host}]:${address.port}` : `ipv4:${address.host}:${address.port}`;
}
