import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { PlansChanged } from "@geolookup/shared/domain/key-event.ts";
import {
  type PlanDifference,
  type Plans,
  parsePlans,
  planDifferences,
  planEntries,
  plansHash,
} from "@geolookup/shared/domain/plans.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { KeyUsage } from "@geolookup/shared/domain/usage.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { repeat } from "@geolookup/shared/runtime/service/lifecycle.ts";
import { openWatchedFile } from "../files/watched-file.ts";
import type { Changes } from "../keys/changes.ts";
import type { KeyRegistry } from "../keys/key-registry.ts";
import type { AuthMetrics } from "../metrics.ts";
import { countKeys, harmsOf, holdText } from "./plan-harms.ts";
import { missingPlans, readPlans } from "./plans-file.ts";
import { createRecordedPlans, placeOfFile } from "./recorded-plans.ts";

/** The operator in the history of a change that the plans file made. */
const BY_FILE = "plans file";
const RETRY_AFTER_MS = 1_000;

/** What plans would change. */
export interface PlansCheck {
  hash: string;
  /** Each with the number of active keys that have the plan. */
  differences: (PlanDifference & { keys: number })[];
  /** Why the change needs a person's word, as sentences. Empty: it doesn't. */
  holds: string[];
}

/** The plans that all auth nodes serve: those of the last change in the key log. */
export interface PlansKeeper extends AsyncDisposable {
  current(): Plans;
  /** The last change. Undefined until the first one is stored. */
  lastChange(): PlansChanged | undefined;
  /** The change of this node's file that isn't in force; null if there is none. */
  held(): PlansCheck | null;
  /** Checks the file once; this happens every second anyway. */
  poll(): Promise<void>;
  /** What a plans file would change. @throws ServiceError `invalid` */
  check(text: string): Promise<PlansCheck>;
  /**
   * Puts the content of this node's file in force.
   * @param hash of that content.
   * @throws ServiceError `precondition` if the file has another content, or lacks plans that keys use; `unavailable`
   */
  confirm(hash: string, by: string): Promise<void>;
}

/**
 * Serves the plans of the key log, and records there what changes in this node's plans file. A change that would affect keys
 * is held until it is confirmed. While usage is unavailable, that isn't known, and the change waits.
 * @param options.sharesFile whether other nodes have copies of the file, which may be older.
 * @throws StartError if the file is invalid, or lacks plans that keys use.
 */
export async function keepPlans(options: {
  path: string;
  sharesFile: boolean;
  registry: KeyRegistry;
  changes: Pick<Changes, "make">;
  keyUsage: KeyUsage | null;
  clock: Clock;
  log: Logger;
  metrics: AuthMetrics;
}): Promise<PlansKeeper> {
  const { path, registry, keyUsage, clock, log, metrics } = options;
  await using opened = new AsyncDisposableStack();
  // At the start, the file may be an old copy, which doesn't have to fit the keys.
  let plansInUse: KeyRegistry["plansInUse"] = () => new Map();
  const file = opened.use(
    await openWatchedFile({
      ...{ path, name: "plans", log, metrics },
      parse: (text) => readPlans(text, plansInUse()),
      onChange: () => void advance(),
    }),
  );
  const { history, last, plansOf, isCurrent, append } = createRecordedPlans(registry, options.changes);
  const current = () => {
    const change = last();
    return change ? plansOf(change) : file.current();
  };

  /** The version of the plans that the file has; null until it was compared with the key log. */
  let seen: number | null = null;
  let epoch: string | undefined;
  let fileSeen: Plans | undefined;
  /** The file's content, if it should replace the current plans. */
  let wanted: Plans | null = null;
  /** The last change when the file was compared with it. */
  let comparedWith: PlansChanged | undefined;
  let held: PlansCheck | null = null;
  /** Why `wanted` isn't in force yet. */
  let lastReason = "";
  let logged = last();

  /** Compares the file with the key log, if either was replaced. */
  const readFile = () => {
    if (epoch !== registry.position().epoch) [epoch, seen, fileSeen] = [registry.position().epoch, null, undefined];
    const plans = file.current();
    if (plans === fileSeen) return;
    const hash = plansHash(plans);
    const place = placeOfFile(hash, history(), seen);
    const isOld = place.kind === "replaced" && (options.sharesFile || seen !== null);
    wanted = place.kind === "new" || (place.kind === "replaced" && !isOld) ? plans : null;
    if (isOld)
      log.warn({ path, hash, version: place.version, currentVersion: last()?.version }, "plans file is an old version");
    [fileSeen, comparedWith, held] = [plans, last(), null];
    lastReason = "";
    seen = place.kind === "new" ? (seen ?? 0) : place.version;
  };
  const differencesOf = (before: Plans, after: Plans): PlansCheck["differences"] =>
    planDifferences(planEntries(before), planEntries(after)).map((difference) => ({
      ...difference,
      keys: registry.plansInUse().get(difference.plan) ?? 0,
    }));
  const compare = async (plans: Plans): Promise<PlansCheck> => {
    const differences = differencesOf(current(), plans);
    const missing = missingPlans(plans, registry.plansInUse());
    if (missing !== null) return { hash: plansHash(plans), differences, holds: [missing] };
    const harms = harmsOf(current(), plans);
    const counts = await countKeys(harms, { registry, keyUsage, nowMs: clock() });
    const holds = harms.flatMap((harm, index) => (counts[index] ? [holdText(harm, counts[index])] : []));
    return { hash: plansHash(plans), differences, holds };
  };
  const logChanges = () => {
    const change = last();
    if (change === logged) return;
    const before = logged && plansOf(logged);
    logged = change;
    if (!change) return;
    const { version, by, at, data } = change;
    for (const difference of before ? differencesOf(before, current()) : [])
      log.info({ ...difference, version }, "plan changed");
    log.info({ version, by, at, hash: data.hash }, "plans changed");
  };

  /** Records what the file changes, unless that is held. */
  const step = async () => {
    readFile();
    // Another node changed the plans meanwhile. It has this file too, or will get it.
    if (wanted && last() !== comparedWith && !isCurrent(wanted)) [wanted, held] = [null, null];
    if (wanted && !held && !isCurrent(wanted)) {
      const check = last() ? await compare(wanted) : null;
      if (check && check.holds.length > 0) hold(check);
      else await append(wanted, BY_FILE, () => last() === comparedWith);
    }
    if (wanted && isCurrent(wanted)) [wanted, held, seen] = [null, null, history().length];
    logChanges();
  };
  const hold = (check: PlansCheck) => {
    held = check;
    const { hash, holds } = check;
    for (const difference of check.differences) log.warn({ ...difference, hash }, "plan change held");
    const confirm = `./geolookup keys plans confirm ${hash}`;
    log.error({ path, hash, holds, confirm }, "plans file held; the current plans stay in use until it is confirmed");
  };
  const tryStep = async () => {
    try {
      await step();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.message !== lastReason) log.warn({ path, reason: error.message }, "plans file waits; retrying");
      lastReason = error.message;
    }
    metrics.plansHeld.set(wanted ? 1 : 0);
  };
  let stepping = Promise.resolve();
  /** One step after another. */
  const advance = (next: () => Promise<void> = tryStep) => {
    const done = stepping.then(next);
    stepping = done.catch(() => undefined);
    return done;
  };

  readFile();
  const missing = wanted && missingPlans(wanted, registry.plansInUse());
  if (missing) throw new StartError(`the plans file ${path} can't be used: ${missing}`);
  plansInUse = registry.plansInUse;
  await advance();
  opened.use(repeat(RETRY_AFTER_MS, () => advance(), log));
  const kept = opened.move();
  return {
    current,
    lastChange: last,
    held: () => {
      // After a later change, the next step drops it.
      if (last() !== comparedWith) return null;
      if (held || !wanted || lastReason === "") return held;
      const differences = differencesOf(current(), wanted);
      return { hash: plansHash(wanted), differences, holds: [lastReason] };
    },
    poll: async () => {
      await file.poll();
      await advance();
    },
    check: async (text) => {
      const parsed = parsePlans(text);
      if ("problems" in parsed) throw new ServiceError("invalid", parsed.problems.join("; "));
      return compare(parsed.plans);
    },
    confirm: (hash, by) =>
      advance(async () => {
        const plans = file.current();
        if (plansHash(plans) !== hash)
          throw new ServiceError(
            "precondition",
            `the plans file has the hash ${plansHash(plans)}, not ${hash}. Check it, and confirm that one. A node can get a new ` +
              "file later than another; then try again in a minute",
          );
        const problem = missingPlans(plans, registry.plansInUse());
        if (problem !== null) throw new ServiceError("precondition", `the plans file can't be used: ${problem}`);
        await append(plans, by, () => !isCurrent(plans));
        wanted = plans;
        await tryStep();
      }),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
