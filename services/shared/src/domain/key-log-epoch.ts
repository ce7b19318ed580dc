import { randomUUID } from "node:crypto";

/** `restored-1764259200000-<uuid>`. Other epochs are only a UUID. */
const DECIDED = /^(?:restored|new)-(\d{1,16})-/;

/** The epoch of a log that replaces all earlier ones because a person decided so: a restore, or `keys log --new`. */
export function decidedEpoch(decision: "restored" | "new", nowMs: number): string {
  return `${decision}-${nowMs}-${randomUUID()}`;
}

/** When a person decided on this epoch; 0: never. A log whose epoch was decided later replaces the other. */
export function decidedAtMs(epoch: string | undefined): number {
  return Number(DECIDED.exec(epoch ?? "")?.[1] ?? 0);
}
