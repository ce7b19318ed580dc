import { randomBytes } from "node:crypto";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { MAX_SESSION_MS } from "./sessions.ts";

const NONCE_BYTES = 16;
const NONCE = /^[\w-]{22}$/;

/** Nonces for forms that must not be submitted twice. Each process remembers the nonces that were sent to it. */
export interface FormNonces {
  create(): string;
  /** Marks a nonce as used. Returns false if it is invalid or was already used. */
  use(nonce: string): boolean;
}

export function createFormNonces(clock: Clock): FormNonces {
  /** When each nonce was used. Nonces are kept longer than any session, and therefore any form, can last. */
  const usedAtMs = new Map<string, number>();
  return {
    create: () => randomBytes(NONCE_BYTES).toString("base64url"),
    use(nonce) {
      for (const [old, atMs] of usedAtMs) {
        if (clock() - atMs < MAX_SESSION_MS) break;
        usedAtMs.delete(old);
      }
      if (!NONCE.test(nonce) || usedAtMs.has(nonce)) return false;
      usedAtMs.set(nonce, clock());
      return true;
    },
  };
}
