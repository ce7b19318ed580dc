import { once } from "node:events";
import { createHistogram, type RecordableHistogram } from "node:perf_hooks";
import { Worker } from "node:worker_threads";
import { type Connection, openConnection } from "./connection.ts";
import { createArrivals, seededRandom } from "./random.ts";
import { createUnderWay } from "./under-way.ts";

/** How a load is sent: each connection sends its next request after a response, or requests follow a schedule. */
export type Pace = { kind: "closed" } | { kind: "open"; perSecond: number };

export interface DriveOptions {
  port: number;
  connections: number;
  durationMs: number;
  pace: Pace;
  /** Returns the text of the next request. */
  nextRequest: () => string;
}

/** The result of a load. */
export interface Driven {
  /** Responses by status. */
  statuses: Record<number, number>;
  /** Those that arrived before the load ended. */
  statusesInTime: Record<number, number>;
  /** Connections that ended, by reason. */
  failures: Record<string, number>;
  /** Responses per second that arrived before the load ended. */
  perSecond: number;
  /** Latency of 200s in microseconds, from when the request was sent; in an open load, from when it was due. */
  latency: RecordableHistogram;
  /** Open load: requests that found no free connection, not even within DRAIN_TIMEOUT_MS after the load. */
  unsent: number;
}

/** At twice saturation, at least half of the requests are sent only after the load: that may take more than 10 s. */
const DRAIN_TIMEOUT_MS = 20_000;

/** Opens the connections, sends the load, waits for the last responses and closes. @throws Error without connections */
export async function drive(options: DriveOptions): Promise<Driven> {
  const { pace, nextRequest } = options;
  const driven: Driven = {
    statuses: {},
    statusesInTime: {},
    failures: {},
    perSecond: 0,
    latency: createHistogram(),
    unsent: 0,
  };
  const idle: Connection[] = [];
  const underWay = createUnderWay();
  let givenUp = false;
  let endMs = Number.POSITIVE_INFINITY;
  /** Times of requests that are due and have no connection yet. */
  let overdue: number[] = [];
  let firstOverdue = 0;

  const send = (connection: Connection, intendedMs: number) => {
    connection.intendedMs = intendedMs;
    underWay.begin();
    connection.send(nextRequest());
  };
  const response = (connection: Connection, status: number) => {
    const nowMs = performance.now();
    driven.statuses[status] = (driven.statuses[status] ?? 0) + 1;
    if (nowMs < endMs) driven.statusesInTime[status] = (driven.statusesInTime[status] ?? 0) + 1;
    const micros = Math.round(1_000 * (nowMs - (connection.intendedMs ?? nowMs)));
    if (status === 200) driven.latency.record(Math.max(1, micros));
    connection.intendedMs = null;
    // Overdue requests are sent even after the load ends: otherwise the slowest would be missing.
    if (firstOverdue < overdue.length && !givenUp) send(connection, overdue[firstOverdue++] as number);
    else if (pace.kind === "open") idle.push(connection);
    else if (nowMs < endMs) send(connection, nowMs);
    underWay.end();
  };
  const failure = (connection: Connection, reason: string) => {
    driven.failures[reason] = (driven.failures[reason] ?? 0) + 1;
    if (connection.intendedMs !== null) underWay.end();
    else if (idle.includes(connection)) idle.splice(idle.indexOf(connection), 1);
  };
  const opened = await Promise.all(
    Array.from({ length: options.connections }, () => openConnection(options.port, { response, failure })),
  );
  if (pace.kind === "open") idle.push(...opened);

  const ticker = pace.kind === "open" ? new Worker(new URL("ticker.ts", import.meta.url)) : null;
  // Starting takes time that must not count against the contestant.
  if (ticker) await once(ticker, "message");
  const startMs = performance.now();
  endMs = startMs + options.durationMs;
  // Timers have millisecond resolution and may fire up to 1 ms early, before all requests are due.
  const ended = new Promise((resolve) => setTimeout(resolve, options.durationMs + 1));
  if (pace.kind === "closed") {
    for (const connection of opened) send(connection, performance.now());
    await ended;
  } else {
    const nextArrival = createArrivals({ startMs, perSecond: pace.perSecond, random: seededRandom(1) });
    let dueMs = nextArrival();
    const sendDue = () => {
      const nowMs = performance.now();
      if (firstOverdue > 0 && firstOverdue === overdue.length) {
        overdue = [];
        firstOverdue = 0;
      }
      for (; dueMs <= nowMs && dueMs < endMs; dueMs = nextArrival()) {
        const connection = idle.pop();
        if (connection) send(connection, dueMs);
        else overdue.push(dueMs);
      }
    };
    ticker?.on("message", sendDue);
    await ended;
    await ticker?.terminate();
    sendDue();
  }
  await underWay.drained(DRAIN_TIMEOUT_MS);
  givenUp = true;
  if (underWay.count > 0) driven.failures[`no response in ${DRAIN_TIMEOUT_MS / 1_000} s`] = underWay.count;
  driven.unsent = overdue.length - firstOverdue;
  const servedInTime = Object.values(driven.statusesInTime).reduce((sum, count) => sum + count, 0);
  driven.perSecond = servedInTime / (options.durationMs / 1_000);
  for (const connection of opened) connection[Symbol.dispose]();
  return driven;
}
