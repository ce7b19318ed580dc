import { setTimeout as delay } from "node:timers/promises";
import { freshIpv4 } from "./addresses.ts";
import { keepAliveClient, type Outcome } from "./load-client.ts";
import { waitFor } from "./wait-for.ts";

/** What one key's requests came to. Adds up over loads. */
export interface KeyBook {
  keyId: string;
  /** Requests sent, one that was sent again to another gateway counted twice. */
  sent: number;
  /** Whole 200s received. */
  served: number;
}

/** A key to send requests with, and its book. */
export interface LoadKey extends KeyBook {
  key: string;
}

export interface LoadOptions {
  /** Base addresses of the gateways. Each has clients of its own, so that one that hangs holds up only those. */
  urls: readonly string[];
  /** Every other request of a client has one of these keys in turn, the others none, each from a new address. */
  keys: readonly LoadKey[];
  /** Whether every request has a key: for where X-Forwarded-For is not believed, so that all of them are one caller. */
  onlyKeyed?: boolean;
  clients?: number;
  requestsPerSecond?: number;
  /**
   * Whether a request that found no connection, or a kept connection closed under it, goes to the other gateways
   * once, as a load balancer would have it.
   */
  retriesElsewhere?: boolean;
}

/** What a load has met so far. */
export interface LoadReport {
  served: number;
  /** Responses by status. */
  statuses: Record<number, number>;
  /** Requests without a response, by error, except retried ones. */
  errors: Record<string, number>;
  /** 200s that lacked the place: geo was not reached. All addresses are fully placed ones. */
  partial: number;
  slowestMs: number;
  retried: number;
}

export interface Load {
  report: LoadReport;
  /** Resolves when that many more requests have come to an end, well or not. */
  more(count: number): Promise<void>;
  /** Sends nothing more; resolves when nothing is under way. */
  stop(): Promise<LoadReport>;
}

const RETRIED_ERRORS = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE"]);
const MORE_TIMEOUT_MS = 30_000;

/** Sends a steady, bounded stream of requests with and without keys until stopped. */
export function startLoad(options: LoadOptions): Load {
  const { urls, keys, clients = 8, requestsPerSecond = 200, retriesElsewhere = false, onlyKeyed = false } = options;
  const report: LoadReport = { served: 0, statuses: {}, errors: {}, partial: 0, slowestMs: 0, retried: 0 };
  const intervalMs = (clients * 1_000) / requestsPerSecond;
  let finished = 0;
  let stopped = false;

  /** @param turn how many requests this client has sent. */
  const sendOne = async (client: ReturnType<typeof keepAliveClient>, index: number, turn: number) => {
    const key = onlyKeyed || turn % 2 === 0 ? keys[(index + Math.floor(turn / 2)) % keys.length] : undefined;
    const path = key ? `/v1/geo?key=${key.key}` : "/v1/geo";
    const from = freshIpv4();
    const home = index % urls.length;
    const targets = [...urls.slice(home), ...urls.slice(0, home)].slice(0, retriesElsewhere ? urls.length : 1);
    let outcome: Outcome = { error: "no gateway", durationMs: 0 };
    for (const [attempt, target] of targets.entries()) {
      if (attempt > 0) report.retried += 1;
      if (key) key.sent += 1;
      outcome = await client.get(target + path, from);
      if (!("error" in outcome && RETRIED_ERRORS.has(outcome.error))) break;
    }
    if (key && "status" in outcome && outcome.status === 200) key.served += 1;
    note(report, outcome);
    finished += 1;
  };
  const runClient = async (_: unknown, index: number) => {
    using client = keepAliveClient();
    for (let turn = 0; !stopped; turn += 1) await Promise.all([sendOne(client, index, turn), delay(intervalMs)]);
  };
  const running = Promise.all(Array.from({ length: clients }, runClient));
  return {
    report,
    async more(count) {
      const enough = finished + count;
      await waitFor(`${count} more requests to end`, () => finished >= enough, MORE_TIMEOUT_MS);
    },
    async stop() {
      stopped = true;
      await running;
      return report;
    },
  };
}

function note(report: LoadReport, outcome: Outcome): void {
  report.slowestMs = Math.max(report.slowestMs, outcome.durationMs);
  if ("error" in outcome) {
    report.errors[outcome.error] = (report.errors[outcome.error] ?? 0) + 1;
    return;
  }
  report.statuses[outcome.status] = (report.statuses[outcome.status] ?? 0) + 1;
  if (outcome.status !== 200) return;
  report.served += 1;
  if (outcome.body.includes('"partial":true')) report.partial += 1;
}
