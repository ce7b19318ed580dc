import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { logLines, startChild, waitForOutput } from "../../../test/harness/child.ts";
import { writeKeyLog } from "../keys.ts";
import { FEW_KEYS, requestPlans, type Site, serviceEnvironment, type Testbed } from "./contestant.ts";

const START_TIMEOUT_MS = 30_000;

/** The whole service as one process, with few active keys: without a key, with one, and with `fields`. */
export async function startStandaloneFew(testbed: Testbed): Promise<Site> {
  const { port, pid, edgePort: _, ...running } = await startStandalone(testbed, "standalone", FEW_KEYS);
  const plans = requestPlans(testbed.issued.keys.slice(0, FEW_KEYS));
  const contestant = (kind: keyof typeof plans) => ({
    ...{ name: `standalone-${kind}`, port, pids: [pid] },
    requests: plans[kind],
  });
  return { ...running, contestants: [contestant("keyless"), contestant("keyed"), contestant("fields")] };
}

/** The same in a separate process with all keys active. */
export async function startStandaloneMany(testbed: Testbed): Promise<Site> {
  const {
    port,
    pid,
    edgePort: _,
    ...running
  } = await startStandalone(testbed, "standalone-many", testbed.issued.keys.length);
  const { keyed } = requestPlans(testbed.issued.keys);
  return { ...running, contestants: [{ name: "standalone-many-keys", port, pids: [pid], requests: keyed }] };
}

/** Starts a standalone process with active keys. @param environment more settings. */
export async function startStandalone(
  testbed: Testbed,
  name: string,
  keys: number,
  environment: Readonly<Record<string, string>> = {},
) {
  const dataDir = join(testbed.folder, name);
  mkdirSync(dataDir);
  writeKeyLog(dataDir, testbed.issued.events.slice(0, keys));
  const settings = { ...serviceEnvironment(testbed, dataDir), ...environment };
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
