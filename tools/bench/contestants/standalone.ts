import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { logLines, startChild, waitForOutput } from "../../../test/harness/child.ts";
import { writeKeyLog } from "../keys.ts";
import {
  type Contestant,
  FEW_KEYS,
  manyKeysContestants,
  requestPlans,
  type Site,
  type Standalone,
  serviceEnvironment,
  type Testbed,
} from "./contestant.ts";
import { edgeContestant, startEdgeBehindNginx } from "./edge.ts";

const START_TIMEOUT_MS = 30_000;

/**
 * The whole service as one process, with few active keys: without a key, with one, with `fields`, and its edge port. They
 * share the process, so they have the same records in memory.
 */
export async function startStandaloneFew(testbed: Testbed, wantsNginx = false): Promise<Site> {
  await using opened = new AsyncDisposableStack();
  const standalone = opened.use(await startStandalone(testbed, "standalone", FEW_KEYS));
  const { port, pid } = standalone;
  const plans = requestPlans(testbed.issued.keys.slice(0, FEW_KEYS));
  const contestants: Contestant[] = (["keyless", "keyed", "fields"] as const).map((kind) => ({
    ...{ name: `standalone-${kind}`, port, pids: [pid] },
    requests: plans[kind],
  }));
  contestants.push(edgeContestant(standalone));
  if (wantsNginx) contestants.push(...opened.use(await startEdgeBehindNginx(testbed, standalone)).contestants);
  const held = opened.move();
  return { contestants, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

/** The same in a separate process with all keys active: with a few of them in rotation, and with all. */
export async function startStandaloneMany(testbed: Testbed): Promise<Site> {
  const { keys } = testbed.issued;
  const { port, pid, ...running } = await startStandalone(testbed, "standalone-many", keys.length);
  return { ...running, contestants: manyKeysContestants("standalone", { port, pids: [pid] }, keys) };
}

/** Starts a standalone process with active keys and an edge port. */
async function startStandalone(testbed: Testbed, name: string, keys: number): Promise<Standalone> {
  const dataDir = join(testbed.folder, name);
  mkdirSync(dataDir);
  writeKeyLog(dataDir, testbed.issued.events.slice(0, keys));
  const settings = { ...serviceEnvironment(testbed, dataDir), EDGE_PORT: "0" };
  const child = startChild("services/standalone/src/main.ts", [], settings);
  const ready = () => logLines(child.stderr()).find(({ msg }) => msg === "ready");
  const { port, edgePort } = await waitForOutput(child, `${name} to be ready`, ready, START_TIMEOUT_MS);
  return {
    port: Number(port),
    edgePort: Number(edgePort),
    pid: child.pid,
    [Symbol.asyncDispose]: child[Symbol.asyncDispose],
  };
}
