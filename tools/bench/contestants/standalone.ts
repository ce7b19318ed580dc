import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { logLines, startChild, waitForOutput } from "../../../test/harness/child.ts";
import { writeKeyLog } from "../keys.ts";
import { requestPlans, type Site, serviceEnvironment, type Testbed } from "./contestant.ts";

const START_TIMEOUT_MS = 30_000;

/** The whole service as one process: without a key, with one, and its edge port. */
export async function startStandalone(testbed: Testbed): Promise<Site> {
  const dataDir = join(testbed.folder, "standalone");
  mkdirSync(dataDir);
  writeKeyLog(dataDir, testbed.issued.events);
  const settings = { ...serviceEnvironment(testbed, dataDir), EDGE_PORT: "0" };
  const child = startChild("services/standalone/src/main.ts", [], settings);
  const ready = () => logLines(child.stderr()).find(({ msg }) => msg === "ready");
  const { port, edgePort } = await waitForOutput(child, "standalone to be ready", ready, START_TIMEOUT_MS);
  const { keyless, keyed } = requestPlans(testbed);
  const pids = [child.pid];
  return {
    contestants: [
      { name: "standalone-keyless", port: Number(port), pids, requests: keyless },
      { name: "standalone-keyed", port: Number(port), pids, requests: keyed },
      { name: "edge", port: Number(edgePort), pids, requests: { path: "/", keys: [] } },
    ],
    [Symbol.asyncDispose]: child[Symbol.asyncDispose],
  };
}
