import { fileURLToPath } from "node:url";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { type Plans, parsePlans } from "@geolookup/shared/domain/plans.ts";
import { readSettingsFile } from "@geolookup/shared/runtime/env/settings-file.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";

const DEFAULT_PLANS_FILE = fileURLToPath(new URL("../../../infra/plans.json", import.meta.url));
const FRESH_MS = 10_000;

/**
 * Tells the plans in a file, which is read at most every 10 s. One that cannot be read leaves the plans
 * as they were: auth is who refuses it.
 * @param path default: infra/plans.json of the repository.
 */
export function createPlansReader(path: string | undefined, { log, clock }: { log: Logger; clock: Clock }) {
  let plans: Plans | null = null;
  let readAgainAtMs = 0;
  let toldProblem = "";
  return (): Plans | null => {
    if (clock() < readAgainAtMs) return plans;
    readAgainAtMs = clock() + FRESH_MS;
    const read = readPlans(path ?? DEFAULT_PLANS_FILE);
    if ("plans" in read) plans = read.plans;
    const problem = "plans" in read ? "" : read.problems.join("; ");
    if (problem !== "" && problem !== toldProblem)
      log.warn({ problem }, "PLANS_FILE cannot be used; the docs show the plans as they were");
    toldProblem = problem;
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
