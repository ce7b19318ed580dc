import { randomBytes } from "node:crypto";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { LONGEST_MS } from "./sessions.ts";

const MARK_BYTES = 16;
const MARK = /^[\w-]{22}$/;

/** Marks for forms that must not be sent twice. A process knows those that were sent to it. */
export function createOnce(clock: Clock): { make(): string; use(mark: string): boolean } {
  /** When each mark was used; no session, and so no form, lives longer than they are kept. */
  const usedAtMs = new Map<string, number>();
  return {
    make: () => randomBytes(MARK_BYTES).toString("base64url"),
    /** Whether it is a mark, used for the first time. */
    use(mark) {
      for (const [old, atMs] of usedAtMs) {
        if (clock() - atMs < LONGEST_MS) break;
        usedAtMs.delete(old);
      }
      if (!MARK.test(mark) || usedAtMs.has(mark)) return false;
      usedAtMs.set(mark, clock());
      return true;
    },
  };
}
