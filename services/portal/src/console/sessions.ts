import { createHash, createHmac, scryptSync, timingSafeEqual } from "node:crypto";
import type { Clock } from "@geolookup/shared/domain/clock.ts";

/** An operator who is signed in. */
export interface Session {
  /** 256 random bits, base64url. */
  id: string;
  signedInAtMs: number;
  /** When it was last used, as far as its cookie says. */
  seenAtMs: number;
}

/** Unused for so long, a session ends. */
export const IDLE_MS = 30 * 60_000;
/** It ends after this time however much it is used. */
export const LONGEST_MS = 8 * 3_600_000;
/** How much later a cookie may be made anew than it would have to be. */
const RENEW_MS = 60_000;

const SECRET_BYTES = 32;
const SEALED = /^([\w-]{43})\.([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.([\w-]{43})$/;

/**
 * Sessions that live in their cookies, sealed under a key that is made from the admin token: every portal of a
 * deployment takes them, and another admin token ends them all. What was signed out this process remembers.
 * docs/decisions/console-sessions.md says why.
 */
export interface Sessions {
  /** Whether a text is the admin token. It takes the same time whatever was sent. */
  isAdminToken(text: string): boolean;
  /** A session with an id of its own, whatever was there before. */
  start(): Session;
  /** A session as its cookie holds it. */
  seal(session: Session): string;
  /** The session of a cookie; null when it was not sealed here, is over, or was signed out. */
  open(sealed: string): Session | null;
  /** The session as used now; null as long as its cookie is fresh enough. */
  renewed(session: Session): Session | null;
  isLive(session: Session): boolean;
  end(session: Session): void;
  /** What the session's forms carry. */
  formToken(session: Session): string;
  isFormToken(session: Session, text: string): boolean;
}

/**
 * @param options.adminToken should have as much chance in it as `make secrets` gives it: whoever holds a cookie can try
 * tokens out on it, if only slowly (scrypt).
 */
export function createSessions(options: {
  adminToken: string;
  clock: Clock;
  randomBytes: (size: number) => Buffer;
}): Sessions {
  const { clock } = options;
  const key = scryptSync(options.adminToken, "geolookup console", SECRET_BYTES);
  const tokenHash = sha256(options.adminToken);
  const mac = (use: string, text: string) => createHmac("sha256", key).update(`${use}\n${text}`).digest("base64url");
  const newId = () => options.randomBytes(SECRET_BYTES).toString("base64url");
  /** When each session would have ended by itself, by its id. */
  const endedUntilMs = new Map<string, number>();

  const isLive = ({ id, signedInAtMs, seenAtMs }: Session) => {
    const now = clock();
    return now < seenAtMs + IDLE_MS && now < signedInAtMs + LONGEST_MS && !endedUntilMs.has(id);
  };
  return {
    isAdminToken: (text) => timingSafeEqual(sha256(text), tokenHash),
    start: () => ({ id: newId(), signedInAtMs: clock(), seenAtMs: clock() }),
    seal({ id, signedInAtMs, seenAtMs }) {
      const text = `${id}.${signedInAtMs.toString(36)}.${seenAtMs.toString(36)}`;
      return `${text}.${mac("session", text)}`;
    },
    open(sealed) {
      const [, id = "", signedInAt = "", seenAt = "", sentMac = ""] = SEALED.exec(sealed) ?? [];
      const text = `${id}.${signedInAt}.${seenAt}`;
      if (!isSame(sentMac, mac("session", text))) return null;
      const session = { id, signedInAtMs: Number.parseInt(signedInAt, 36), seenAtMs: Number.parseInt(seenAt, 36) };
      return isLive(session) ? session : null;
    },
    renewed: (session) => (clock() - session.seenAtMs < RENEW_MS ? null : { ...session, seenAtMs: clock() }),
    isLive,
    end({ id, signedInAtMs }) {
      for (const [other, untilMs] of endedUntilMs) if (untilMs <= clock()) endedUntilMs.delete(other);
      endedUntilMs.set(id, signedInAtMs + LONGEST_MS);
    },
    formToken: ({ id }) => mac("form", id),
    isFormToken: ({ id }, text) => isSame(text, mac("form", id)),
  };
}

function isSame(left: string, right: string): boolean {
  return timingSafeEqual(sha256(left), sha256(right));
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
