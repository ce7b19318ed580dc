import { type KeyEvent, VersionConflict } from "../../../domain/key-event.ts";

/** What a log needs to know of its events to check the next one. */
export interface KeyLogIndex {
  /** Number of events, which is also the last sequence. */
  count: number;
  /** The last version of each key. A rotation gives its successor version 1. */
  versions: Map<string, number>;
  /** The sequence of each event by its id. */
  sequences: Map<string, number>;
}

export function emptyKeyLogIndex(): KeyLogIndex {
  return { count: 0, versions: new Map(), sequences: new Map() };
}

export function addToKeyLogIndex(index: KeyLogIndex, event: KeyEvent): void {
  index.count++;
  index.versions.set(event.keyId, event.version);
  if (event.type === "KeyRotated") index.versions.set(event.data.successor.keyId, 1);
  index.sequences.set(event.id, index.count);
}

/** The outcome for one event of a batch. */
export type Placement = { sequence: number; stored: "before" | "now" } | { conflict: VersionConflict };

/**
 * Decides which of a batch of events are stored now, which were stored before (retries), and which conflict with another
 * writer's. Changes nothing.
 * @returns one placement per event.
 */
export function placeEvents(index: KeyLogIndex, events: readonly KeyEvent[]): Placement[] {
  const batch = { count: index.count, versions: new Map<string, number>(), sequences: new Map<string, number>() };
  return events.map((event) => {
    const before = index.sequences.get(event.id);
    if (before !== undefined) return { sequence: before, stored: "before" };
    const twin = batch.sequences.get(event.id);
    if (twin !== undefined) return { sequence: twin, stored: "before" };
    const versionOf = (keyId: string) => batch.versions.get(keyId) ?? index.versions.get(keyId) ?? 0;
    const last = versionOf(event.keyId);
    if (event.version !== last + 1)
      return {
        conflict: new VersionConflict(
          `key ${event.keyId} is at version ${last}; version ${event.version} cannot follow`,
        ),
      };
    if (event.type === "KeyRotated" && versionOf(event.data.successor.keyId) > 0)
      return { conflict: new VersionConflict(`key ${event.data.successor.keyId} exists already`) };
    addToKeyLogIndex(batch, event);
    return { sequence: batch.count, stored: "now" };
  });
}
