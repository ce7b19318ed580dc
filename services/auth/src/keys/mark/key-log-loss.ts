import type { KeyLogMark } from "@geolookup/shared/domain/key-event.ts";
import { decidedAtMs } from "@geolookup/shared/domain/key-log-epoch.ts";

/** A key log as it was found. */
export interface FoundKeyLog {
  epoch: string;
  /** 0 if it is empty or missing. */
  lastSequence: number;
  /** Whether the log has this event at this sequence. */
  hasEvent(eventId: string, sequence: number): boolean;
}

/** Something that knows of keys in the log. `name` says what it is and what it knows, for the operator. */
export type KeyLogWitness =
  /** It had read the log up to this position. */
  | ({ name: string } & KeyLogMark)
  /** It names keys, so at least one was issued. */
  | { name: string; keysExisted: true };

/** What follows from a key log and its witnesses. */
export type KeyLogState = { kind: "ok" | "first start" } | { kind: "lost"; shownBy: string[] };

/**
 * Decides whether a key log has lost events. Nothing follows from a missing witness. Events are only appended and have unique IDs, so a
 * log with a witness's event in its place has all events before it, too, whatever its epoch is. A log that a person decided on later than
 * on the witness's replaces it.
 */
export function decideKeyLog(log: FoundKeyLog, witnesses: readonly KeyLogWitness[]): KeyLogState {
  const shownBy = witnesses.filter((witness) => contradicts(witness, log)).map(({ name }) => name);
  if (shownBy.length > 0) return { kind: "lost", shownBy };
  return { kind: log.lastSequence === 0 && decidedAtMs(log.epoch) === 0 ? "first start" : "ok" };
}

function contradicts(witness: KeyLogWitness, log: FoundKeyLog): boolean {
  if ("keysExisted" in witness) return log.lastSequence === 0 && decidedAtMs(log.epoch) === 0;
  const { epoch, sequence, eventId } = witness;
  if (sequence === 0 || log.hasEvent(eventId, sequence)) return false;
  return epoch === log.epoch || decidedAtMs(log.epoch) <= decidedAtMs(epoch);
}
