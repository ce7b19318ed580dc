import type { PlansChanged } from "@geolookup/shared/domain/key-event.ts";

/**
 * Where a plans file is in the history of the plans. Nodes can see a new file at different times, so a content that was replaced
 * isn't necessarily what the operator wants now.
 * @param hash of the file's plans.
 * @param seen the version of the plans that this node's file had before; null at the start.
 * @returns `new`: the operator changed or reverted it. `replaced`: it is at an earlier version, and catching up.
 */
export function placeOfFile(
  hash: string,
  history: readonly PlansChanged[],
  seen: number | null,
): { kind: "current" | "replaced"; version: number } | { kind: "new" } {
  const isIts = ({ version, data }: PlansChanged) => data.hash === hash && version > (seen ?? 0);
  const found = seen === null ? history.findLast(isIts) : history.find(isIts);
  if (!found) return { kind: "new" };
  return { kind: found.version === history.length ? "current" : "replaced", version: found.version };
}
