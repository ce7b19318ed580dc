import { createHistogram } from "node:perf_hooks";
import { createArrivals, seededRandom } from "../../../../tools/bench/load/random.ts";
import { createUnderWay } from "../../../../tools/bench/load/under-way.ts";
import { freshIpv4 } from "../../../harness/addresses.ts";
import { type KeepAliveClient, keepAliveClient, type Outcome } from "../../../harness/load-client.ts";
import type { GoodClientOrder, GoodClientQuestion, Phase } from "./phase.ts";

/** This many good responses in a row count as recovered. */
const GOOD_IN_A_ROW = 10;
const MAX_CLIENTS = 1_024;
/** How long to wait for outstanding responses at the end of a phase. */
const DRAIN_TIMEOUT_MS = 25_000;

let current = startPhase();
/** Separate, so that slow docs requests don't keep API requests from being sent. */
const pools = { api: { idle: [] as KeepAliveClient[], opened: 0 }, docs: { idle: [] as KeepAliveClient[], opened: 0 } };

process.on("message", async (message: GoodClientOrder | GoodClientQuestion) => {
  if (message.kind === "begin") return begin(message);
  const asked = current;
  if (message.kind === "end phase") {
    current = startPhase();
    await asked.underWay.drained(DRAIN_TIMEOUT_MS);
  }
  process.send?.({ id: message.id, phase: report(asked) });
});
process.send?.("ready");

function begin({ url, docsHost, key, ca, perSecond, docsPerSecond }: GoodClientOrder): void {
  current = startPhase();
  repeat(perSecond, "api", async () => {
    const from = freshIpv4();
    const outcome = await withClient(pools.api, ca, (client) => client.get(`${url}/v1/geo?key=${key}`, from));
    const isOwn = !("body" in outcome) || outcome.status !== 200 || outcome.body.includes(`"${from}"`);
    return isOwn ? outcome : { error: "another caller's response", durationMs: outcome.durationMs };
  });
  repeat(docsPerSecond, "docs", () =>
    withClient(pools.docs, ca, (client) => client.get(url, null, { Host: docsHost })),
  );
}

/** Sends at random times at an average rate, no matter how many requests are in flight. */
function repeat(perSecond: number, kind: "api" | "docs", ask: () => Promise<Outcome>): void {
  const random = seededRandom(1);
  const nextArrival = createArrivals({ startMs: performance.now(), perSecond, random });
  const wait = () => {
    const dueMs = nextArrival();
    setTimeout(
      () => {
        void watch(kind, dueMs, ask);
        wait();
      },
      Math.max(1, dueMs - performance.now()),
    );
  };
  wait();
}

async function watch(kind: "api" | "docs", dueMs: number, ask: () => Promise<Outcome>): Promise<void> {
  const phase = current;
  const { [kind]: watched, underWay } = phase;
  underWay.begin();
  const outcome = await ask();
  underWay.end();
  const isGood = "status" in outcome && outcome.status === 200;
  const counts = "error" in outcome ? watched.errors : watched.statuses;
  const what = "error" in outcome ? outcome.error : outcome.status;
  counts[what] = (counts[what] ?? 0) + 1;
  if (isGood && kind === "api")
    phase.latencyMicros.record(Math.max(1, Math.round(1_000 * (performance.now() - dueMs))));
  watched.goodInARow = isGood ? watched.goodInARow + 1 : 0;
  watched.goodSinceMs = isGood ? (watched.goodSinceMs ?? performance.now() - phase.startMs) : null;
}

type Pool = (typeof pools)["api"];

async function withClient(
  pool: Pool,
  ca: string | null,
  act: (client: KeepAliveClient) => Promise<Outcome>,
): Promise<Outcome> {
  const client = pool.idle.pop() ?? openClient(pool, ca);
  if (client === null) return { error: `${MAX_CLIENTS} requests have no response`, durationMs: 0 };
  const outcome = await act(client);
  pool.idle.push(client);
  return outcome;
}

function openClient(pool: Pool, ca: string | null): KeepAliveClient | null {
  if (pool.opened === MAX_CLIENTS) return null;
  pool.opened += 1;
  // The client may connect to a relay or load balancer, whose address isn't in the certificate.
  return keepAliveClient({ ...(ca === null ? {} : { ca }), checkServerIdentity: () => undefined });
}

function startPhase() {
  const watched = () => ({
    statuses: {} as Record<string, number>,
    errors: {} as Record<string, number>,
    goodInARow: 0,
    goodSinceMs: null as number | null,
  });
  const startMs = performance.now();
  return { startMs, latencyMicros: createHistogram(), underWay: createUnderWay(), api: watched(), docs: watched() };
}

function report({ startMs, latencyMicros, underWay, api, docs }: ReturnType<typeof startPhase>): Phase {
  const kind = ({ statuses, errors, goodInARow, goodSinceMs }: typeof api) => ({
    statuses,
    errors,
    goodAfterMs: goodInARow >= GOOD_IN_A_ROW ? goodSinceMs : null,
  });
  return {
    seconds: (performance.now() - startMs) / 1_000,
    p99Ms: latencyMicros.percentile(99) / 1_000,
    unanswered: underWay.count,
    api: kind(api),
    docs: kind(docs),
  };
}
