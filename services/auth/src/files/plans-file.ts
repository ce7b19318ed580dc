import { fileURLToPath } from "node:url";
import { type Plans, parsePlans } from "@geolookup/shared/domain/plans.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import type { AuthMetrics } from "../metrics.ts";
import { openWatchedFile, type WatchedFile } from "./watched-file.ts";

export const DEFAULT_PLANS_FILE = fileURLToPath(new URL("../../../../infra/plans.json", import.meta.url));

/**
 * Opens the plans file and watches it. A content without a plan that an active key uses is refused
 * like any other mistake.
 * @param options.plansInUse the plans of active keys, each with its number of keys.
 * @throws StartError
 */
export function openPlansFile(options: {
  path: string;
  plansInUse: () => ReadonlyMap<string, number>;
  log: Logger;
  metrics: AuthMetrics;
}): Promise<WatchedFile<Plans>> {
  const { path, plansInUse, log, metrics } = options;
  return openWatchedFile({ path, name: "plans", parse: (text) => readPlans(text, plansInUse()), log, metrics });
}

/** @throws Error for the operator if the text isn't a valid plans file, or lacks a plan that keys use. */
export function readPlans(text: string, plansInUse: ReadonlyMap<string, number>): Plans {
  const parsed = parsePlans(text);
  if ("problems" in parsed) throw new Error(parsed.problems.join("; "));
  const lost = [...plansInUse].filter(([name]) => !parsed.plans.has(name));
  if (lost.length > 0) {
    const named = lost.map(([name, keys]) => `${name} (${keys} ${keys === 1 ? "key" : "keys"})`).join(", ");
    throw new Error(
      `it lacks plans that keys use: ${named}. Add them again, or change the plan of those keys or revoke them first`,
    );
  }
  return parsed.plans;
}
