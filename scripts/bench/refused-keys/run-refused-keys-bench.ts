import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { mintKey } from "@geolookup/auth/signing/signature.ts";
import { newRingText, parseRing } from "@geolookup/auth/signing/signing-ring.ts";
import type { BenchReport, BenchRun } from "../bench-run.ts";
import { startBenchCluster } from "../contestants/cluster.ts";
import { KEYED_PATH } from "../contestants/contestant.ts";
import { issueKeys } from "../keys.ts";
import { startGenerator } from "../load/start-generator.ts";
import { processorMicros } from "../processes.ts";
import { sumOf } from "../statistics.ts";

const PER_SECOND = 2_000;
const CONNECTIONS = 64;
const DURATION_MS = 10_000;
/** More than the bench sends, so that none is sent twice. */
const DISTINCT_KEYS = 1.2 * PER_SECOND * (DURATION_MS / 1_000);
/** The CPU time that the requests may cost auth, as a share of one core. */
const GOAL_PERCENT = 10;

/** One load and its cost. */
interface Row {
  keys: string;
  statuses: Record<number, number>;
  authPercent: number;
  gatewayPercent: number;
}

/**
 * Sends a cluster 2,000 requests a second with keys that auth refuses, and measures the CPU time of auth. The report is `ok` if all
 * requests of each load were refused and cost auth less than 10 % of a core.
 */
export async function runRefusedKeysBench({ databases, folder, say }: BenchRun): Promise<BenchReport> {
  await using opened = new AsyncDisposableStack();
  const issued = issueKeys(1, folder);
  const ring = parseRing(readFileSync(issued.signingKeysFile, "utf8")).active;
  const stranger = parseRing(newRingText(randomBytes)).active;
  const distinct = (signingKey: typeof ring) =>
    Array.from({ length: DISTINCT_KEYS }, () => mintKey("publishable", signingKey, randomBytes));
  /** They name a signing key of our ring, but are signed with another secret. */
  const badSignatures = distinct({ ...stranger, id: ring.id });
  const loads: Record<string, string[]> = {
    "no load": [],
    "one bad signature": badSignatures.slice(0, 1),
    "1,000 bad signatures": badSignatures.slice(0, 1_000),
    "one unknown key": [mintKey("publishable", ring, randomBytes)],
    "a new bad signature each time": badSignatures,
    "a new key of an unknown signing key each time": distinct(stranger),
  };
  const cluster = opened.use(await startBenchCluster({ folder, databases, issued }, "cluster", issued.keys.length));
  const generator = opened.use(await startGenerator());
  const { auth, gateway } = cluster.addresses;
  const microsOf = (nodes: readonly { pid: number }[]) => sumOf(nodes.map(({ pid }) => processorMicros(pid)));

  const rows: Row[] = [];
  for (const [name, keys] of Object.entries(loads)) {
    say(name);
    const before = [auth, gateway].map(microsOf);
    const { statuses } = await generator.send({
      ...{ port: cluster.port, pids: [], connections: CONNECTIONS, durationMs: DURATION_MS },
      requests: keys.length === 0 ? { path: "/not-found", keys } : { path: KEYED_PATH, keys },
      pace: { kind: "open", perSecond: keys.length === 0 ? 1 : PER_SECOND },
    });
    const [authPercent = Number.NaN, gatewayPercent = Number.NaN] = [auth, gateway].map(
      (nodes, index) => ((microsOf(nodes) - (before[index] ?? 0)) / (DURATION_MS * 1_000)) * 100,
    );
    rows.push({ keys: name, statuses, authPercent, gatewayPercent });
  }
  const refused = rows.slice(1).every(({ statuses }) => Object.keys(statuses).join() === "401");
  return { markdown: asMarkdown(rows), ok: refused && rows.every(({ authPercent }) => authPercent < GOAL_PERCENT) };
}

function asMarkdown(rows: readonly Row[]): string {
  const lines = rows.map(({ keys, statuses, authPercent, gatewayPercent }) => {
    const counts = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
    return `| ${keys} | ${counts.join(", ")} | ${authPercent.toFixed(1)} % | ${gatewayPercent.toFixed(1)} % |`;
  });
  return [
    `${PER_SECOND} requests a second with keys that auth refuses, ${DURATION_MS / 1_000} s each; CPU time of one core`,
    "",
    "| Keys | Responses | Auth | Gateway |",
    "|---|---|---|---|",
    ...lines,
    "",
  ].join("\n");
}
