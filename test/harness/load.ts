import { setTimeout as delay } from "node:timers/promises";
import { freshIpv4 } from "./addresses.ts";
import { keepAliveClient, type Outcome } from "./load-client.ts";
import { waitFor } from "./wait-for.ts";

/** Counts of one key's requests, over all loads. */
export interface LoadCounts {
  keyId: string;
  /** Requests sent. A retry to another gateway counts again. */
  sent: number;
  /** Complete responses with 200. */
  served: number;
}

/** A key to send requests with, and its counts. */
export interface LoadKey extends LoadCounts {
  key: string;
}

export interface LoadOptions {
  /** Base addresses of the gateways. Each has its own clients, so that one that hangs blocks only those. */
  urls: readonly string[];
  /** Every other request of a client has one of these keys, in turn; the others have none. Each is from a new address. */
  keys: readonly LoadKey[];
  /** Whether every request has a key. For deployments that ignore X-Forwarded-For, where all requests have one caller. */
  onlyKeyed?: boolean;
  clients?: number;
  requestsPerSecond?: number;
  /**
   * Whether a request whose connection fails or was closed is retried once on the other gateways, like a load balancer does.
   */
  retriesElsewhere?: boolean;
}

/** The results of a load so far. */
export interface LoadReport {
  served: number;
  /** Responses by status. */
  statuses: Record<number, number>;
  /** Requests without a response, by error, except retried ones. */
  errors: Record<string, number>;
  /** Milliseconds from the first to the last of those errors. */
  errorSpanMs: number;
  /** Partial responses with 200, because geo wasn't reached. All addresses are fully placed. */
  partial: number;
  slowestMs: number;
  retried: number;
  /** Of these, requests on the connection of an earlier one, which a gateway had accepted. */
  retriedOnReused: number;
}

export interface Load {
  report: LoadReport;
  /** Resolves after that many more requests have succeeded or failed. */
  more(count: number): Promise<void>;
  /** Stops sending; resolves when no request is in flight. */
  stop(): Promise<LoadReport>;
}

const RETRIED_ERRORS = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE"]);
const MORE_TIMEOUT_MS = 30_000;

/** Sends a steady, bounded stream of requests with and without keys until stopped. */
export function startLoad(options: LoadOptions): Load {
  const { urls, keys, clients = 8, requestsPerSecond = 200, retriesElsewhere = false, onlyKeyed = false } = options;
  const report: LoadReport = {
    served: 0,
    statuses: {},
    errors: {},
    errorSpanMs: 0,
    partial: 0,
    slowestMs: 0,
    retried: 0,
    retriedOnReused: 0,
  };
  const intervalMs = (clients * 1_000) / requestsPerSecond;
  let firstErrorMs: number | undefined;
  let finished = 0;
  let stopped = false;

  /** @param turn the number of requests that this client has sent. */
  const sendOne = async (client: ReturnType<typeof keepAliveClient>, index: number, turn: number) => {
    const key = onlyKeyed || turn % 2 === 0 ? keys[(index + Math.floor(turn / 2)) % keys.length] : undefined;
    const path = key ? `/v1/geo?key=${key.key}` : "/v1/geo";
    const from = freshIpv4();
    const home = index % urls.length;
    const targets = [...urls.slice(home), ...urls.slice(0, home)].slice(0, retriesElsewhere ? urls.length : 1);
    let outcome: Outcome = { error: "no gateway", durationMs: 0 };
    for (const [attempt, target] of targets.entries()) {
      if (attempt > 0) report.retried += 1;
      if (attempt > 0 && outcome.isReused) report.retriedOnReused += 1;
      if (key) key.sent += 1;
      outcome = await client.get(target + path, from);
      if (!("error" in outcome && RETRIED_ERRORS.has(outcome.error))) break;
    }
    if (key && "status" in outcome && outcome.status === 200) key.served += 1;
    note(report, outcome);
    if ("error" in outcome) {
      firstErrorMs ??= performance.now();
      report.errorSpanMs = performance.now() - firstErrorMs;
    }
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
