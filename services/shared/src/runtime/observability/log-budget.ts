import type { Logger } from "./log.ts";

/** How often suppressed lines are summarized. */
const SUMMARY_INTERVAL_MS = 10_000;
/** Kinds that a summary lists; the rest are `other`. */
const MAX_KINDS = 50;

type Level = "info" | "warn" | "error";

/** How many lines of one message may be written: `burst` at once, then one per `refillMs`. */
export interface Budget {
  burst: number;
  refillMs: number;
}

/** A failure that affects every request affects them all in the same way, so one line is enough. */
const ONE_EACH_INTERVAL: Budget = { burst: 1, refillMs: SUMMARY_INTERVAL_MS };

/** For a state that requests may toggle: each of the first few changes is logged with its reason. */
export const CHANGES: Budget = { burst: 3, refillMs: SUMMARY_INTERVAL_MS };

/** Writes the summary of each budget that has suppressed lines. */
const pending = new Set<() => void>();
let flushesAtExit = false;

/** Writes all pending summaries. Processes call this when they exit. */
export function flushLogBudgets(): void {
  for (const flush of [...pending]) flush();
}

/**
 * Lines of one message within a budget. Further lines are counted by kind and summarized in one line within 10 s, whose
 * `repeated` says how many lines it replaces. Lines and summaries together account for every call.
 * @param nowMs monotonic.
 * @returns a function that writes a line, or counts it.
 */
export function budgetedLine(
  log: Logger,
  level: Level,
  message: string,
  { burst, refillMs }: Budget = ONE_EACH_INTERVAL,
  nowMs: () => number = () => performance.now(),
): (fields: object, kind?: string) => void {
  /** When the budget is full again (the generic cell rate algorithm). */
  let wholeAtMs = Number.NEGATIVE_INFINITY;
  let repeated = 0;
  let kinds: Record<string, number> = Object.create(null);
  let timer: NodeJS.Timeout | undefined;

  const sumUp = () => {
    clearTimeout(timer);
    pending.delete(sumUp);
    const fields = { repeated, ...(Object.keys(kinds).length > 0 ? { kinds } : {}) };
    repeated = 0;
    kinds = Object.create(null);
    log[level](fields, `${message} (repeated)`);
  };
  const leaveOut = (kind: string | undefined) => {
    if (repeated === 0) {
      pending.add(sumUp);
      timer = setTimeout(sumUp, SUMMARY_INTERVAL_MS).unref();
      if (!flushesAtExit) process.once("exit", flushLogBudgets);
      flushesAtExit = true;
    }
    repeated += 1;
    if (kind === undefined) return;
    const name = kind in kinds || Object.keys(kinds).length < MAX_KINDS ? kind : "other";
    kinds[name] = (kinds[name] ?? 0) + 1;
  };
  return (fields, kind) => {
    const now = nowMs();
    const fromMs = Math.max(now, wholeAtMs);
    if (fromMs - now > (burst - 1) * refillMs) return leaveOut(kind);
    wholeAtMs = fromMs + refillMs;
    log[level](fields, message);
  };
}

/** For messages that callers can trigger repeatedly: one line per message in 10 s, and a summary of the others. */
export interface BudgetedLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const budgetedLogs = new WeakMap<Logger, BudgetedLog>();

/** The budgeted view of a log, always the same one for each log. Each message has its own budget; messages are constants. */
export function budgeted(log: Logger): BudgetedLog {
  let found = budgetedLogs.get(log);
  if (!found) {
    const lines = new Map<string, (fields: object) => void>();
    const write = (level: Level) => (fields: object, message: string) => {
      let line = lines.get(message);
      if (!line) {
        line = budgetedLine(log, level, message);
        lines.set(message, line);
      }
      line(fields);
    };
    found = { warn: write("warn"), error: write("error") };
    budgetedLogs.set(log, found);
  }
  return found;
}
