import { fileURLToPath } from "node:url";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { type Plans, parsePlans } from "@geolookup/shared/domain/plans.ts";
import { readSettingsFile } from "@geolookup/shared/runtime/files/files.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";

const DEFAULT_PLANS_FILE = fileURLToPath(new URL("../../../../infra/plans.json", import.meta.url));
const FRESH_MS = 10_000;

/**
 * Reads the plans file, at most every 10 s, for a portal without a console, which doesn't know auth. If it is invalid, the last known
 * plans are kept; auth refuses and reports it.
 * @param path default: infra/plans.json of the repository.
 */
export function createPlansReader(path: string | undefined, { log, clock }: { log: Logger; clock: Clock }) {
  let plans: Plans | null = null;
  let reloadAtMs = 0;
  let lastProblem = "";
  return (): Plans | null => {
    if (clock() < reloadAtMs) return plans;
    reloadAtMs = clock() + FRESH_MS;
    const read = readPlans(path ?? DEFAULT_PLANS_FILE);
    if ("plans" in read) plans = read.plans;
    const problem = "plans" in read ? "" : read.problems.join("; ");
    if (problem !== "" && problem !== lastProblem)
      log.warn({ problem }, "plans file invalid; the docs show the last known plans");
    lastProblem = problem;
    return plans;
  };
}

function readPlans(path: string): ReturnType<typeof parsePlans> {
  try {
    return parsePlans(readSettingsFile(path));
  } catch (error) {
    return { problems: [(error as Error).message] };
  }
}
