import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { logLines, startChild, waitForOutput } from "../../../test/harness/child.ts";
import { writeKeyLog } from "../keys.ts";
import { FEW_KEYS, type Ground, requestPlans, type Site, serviceEnvironment } from "./contestant.ts";

const START_TIMEOUT_MS = 30_000;

/** The whole service as one process, with few active keys: without a key, with one, and with `fields`. */
export async function startStandaloneFew(ground: Ground): Promise<Site> {
  const { port, pid, edgePort: _, ...running } = await startStandalone(ground, "standalone", FEW_KEYS);
  const plans = requestPlans(ground.issued.keys.slice(0, FEW_KEYS));
  const contestant = (kind: keyof typeof plans) => ({
    ...{ name: `standalone-${kind}`, port, pids: [pid] },
    requests: plans[kind],
  });
  return { ...running, contestants: [contestant("keyless"), contestant("keyed"), contestant("fields")] };
}

/** The same in a separate process with all keys active. */
export async function startStandaloneMany(ground: Ground): Promise<Site> {
  const {
    port,
    pid,
    edgePort: _,
    ...running
  } = await startStandalone(ground, "standalone-many", ground.issued.keys.length);
  const { keyed } = requestPlans(ground.issued.keys);
  return { ...running, contestants: [{ name: "standalone-many-keys", port, pids: [pid], requests: keyed }] };
}

/** Starts a standalone process with active keys. @param environment more settings. */
export async function startStandalone(
  ground: Ground,
  name: string,
  keys: number,
  environment: Readonly<Record<string, string>> = {},
) {
  const dataDir = join(ground.folder, name);
  mkdirSync(dataDir);
  writeKeyLog(dataDir, ground.issued.events.slice(0, keys));
  const settings = { ...serviceEnvironment(ground, dataDir), ...environment };
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
