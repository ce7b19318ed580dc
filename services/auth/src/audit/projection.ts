import { setTimeout as delay } from "node:timers/promises";
import type { KeyEvent } from "@geolookup/shared/domain/key-event.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { AuditEntry, AuditLog, AuditPosition } from "@geolookup/shared/logs/audit/audit-log.ts";
import type { OperatorEvent } from "@geolookup/shared/logs/operators/operator-log.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { entryOf, headOf, shortened } from "./entry.ts";

const RETRY_AFTER_MS = 1_000;
/** Of a longer log, a new trail has only what happens from now on: its past may have a million events. */
const MAX_PAST_EVENTS = 10_000;

/** An event, with its place in its log. */
export interface LoggedEvent {
  event: KeyEvent | OperatorEvent;
  sequence: number;
}

/** A log that is projected, and its current end. */
export interface ProjectedLog {
  name: "keys" | "plans" | "operators";
  end: AuditPosition;
  /** The ID of the event at a sequence, if there is one. */
  eventIdAt(sequence: number): string | undefined | Promise<string | undefined>;
}

/** Writes the events of logs to the audit trail: each once, in the order of its log, also after a crash. */
export interface Projection {
  /**
   * Where to begin: after this sequence. It continues after the last event that was projected, unless another log replaced it.
   * Waits until the audit trail can be read. @throws what `eventIdAt` throws: a lost connection doesn't come back.
   */
  begin(log: ProjectedLog): Promise<number>;
  /** Writes the next events of a log; resolves when they are stored, or with false if that was canceled. */
  write(log: ProjectedLog["name"], events: readonly LoggedEvent[]): Promise<boolean>;
  /** Writes an entry that isn't in a log. @throws ServiceError `unavailable` */
  record(entry: AuditEntry): Promise<void>;
}

/**
 * @param options.earlier returns the events before one that made the state that it changed.
 * @param options.onStored called with the entries that this process stored.
 * @param options.over aborts what waits.
 */
export function createProjection(options: {
  auditLog: AuditLog;
  earlier: (event: KeyEvent | OperatorEvent) => Promise<readonly (KeyEvent | OperatorEvent)[]>;
  onStored: (entries: readonly AuditEntry[]) => void;
  over: AbortSignal;
  log: Logger;
}): Projection {
  const { auditLog, over, log } = options;
  let loaded: Record<string, AuditPosition> | undefined;
  let isNew = false;
  let lastReason = "";

  const insist = async <Result>(work: () => Promise<Result>): Promise<Result | undefined> => {
    while (!over.aborted)
      try {
        const result = await work();
        lastReason = "";
        return result;
      } catch (error) {
        const reason = (error as Error).message;
        if (reason !== lastReason) log.warn({ reason }, "audit trail not written; retrying");
        lastReason = reason;
        await delay(RETRY_AFTER_MS, undefined, { signal: over }).catch(() => undefined);
      }
    return undefined;
  };
  const load = async () => {
    if (loaded) return loaded;
    const positions = await auditLog.positions();
    isNew = positions === null;
    loaded ??= { ...positions };
    return loaded;
  };
  const append = async (entries: readonly AuditEntry[]) => {
    const positions = await load();
    options.onStored(await auditLog.append(entries.map(shortened), positions));
    return positions;
  };
  /** What can never be made doesn't keep later entries out of the trail. */
  const entryFor = async ({ event }: LoggedEvent) => {
    try {
      return entryOf(event, await options.earlier(event));
    } catch (error) {
      if (error instanceof ServiceError && error.code === "unavailable") throw error;
      log.error({ err: error, event: event.id }, "audit entry without what changed");
      return { ...headOf(event), after: { shortened: "the events before it can't be read" } };
    }
  };

  return {
    begin: async ({ name, end, eventIdAt }) => {
      const positions = await insist(load);
      if (!positions) return 0;
      const known = positions[name];
      if (known && (known.sequence === 0 || (await eventIdAt(known.sequence)) === known.eventId)) return known.sequence;
      const start = end.sequence > MAX_PAST_EVENTS ? end : { sequence: 0, eventId: "" };
      // With the ID of what is replaced, so that several nodes write it once.
      const id = `begin-${name}-${known?.eventId ?? "new"}`;
      if (!known && !isNew && start.sequence === 0) return 0;
      positions[name] = start;
      const action = known ? "LogReplaced" : "TrailStarted";
      const entry = { id, at: new Date().toISOString(), by: "auth", action, subject: name };
      if (known || start.sequence > 0) await insist(() => append([entry]));
      return start.sequence;
    },
    write: async (name, events) => {
      const entries = await insist(() => Promise.all(events.map(entryFor)));
      const positions = entries && (await insist(() => append(entries)));
      const last = events.at(-1);
      if (positions && last) positions[name] = { sequence: last.sequence, eventId: last.event.id };
      return positions !== undefined;
    },
    record: async (entry) => void (await append([entry])),
  };
}
