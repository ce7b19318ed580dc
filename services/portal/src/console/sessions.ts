import { createHash, createHmac, scryptSync, timingSafeEqual } from "node:crypto";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { RESERVED_NAMES, type Role } from "@geolookup/shared/domain/operators.ts";

/** Who signed in, and how: with ADMIN_TOKEN, with a token of their own, by a proxy in front, or by OpenID Connect. */
export interface SignedIn {
  name: string;
  source: "admin" | "token" | "proxy" | "oidc";
  /** What the proxy's setting or the issuer grants; null: the operator's own role, which auth knows. */
  role: Role | null;
  /**
   * The operator's version when a token signed in, or that of the settings of OpenID Connect: the session ends when the token is replaced,
   * or the settings change. 0 for the other sources.
   */
  version: number;
}

/** The name of an operator from outside, or null if it can't be one, such as that of the owner of ADMIN_TOKEN. */
export function operatorName(text: string): string | null {
  const name = text.trim().toLowerCase();
  return /^[a-z0-9._@-]{1,64}$/.test(name) && !RESERVED_NAMES.has(name) ? name : null;
}

/** The session of a signed-in operator. */
export interface Session {
  /** 256 bits, base64url: random, or derived from the operator whom a proxy names with each request. */
  id: string;
  operator: SignedIn;
  signedInAtMs: number;
  /** When it was last used, according to its cookie. */
  seenAtMs: number;
}

/** A session ends when it hasn't been used for this long. */
export const MAX_IDLE_MS = 30 * 60_000;
/** A session ends after this time even if it is in use. */
export const MAX_SESSION_MS = 8 * 3_600_000;
/** A cookie is renewed at most this often. */
const RENEW_MS = 60_000;

const SECRET_BYTES = 32;
const SEALED = /^(([\w-]{43})\.([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.([\w-]{1,400}))\.([\w-]{43})$/;

/**
 * Sessions that are stored in cookies and authenticated with a key derived from the admin token. Every portal of a
 * deployment accepts them, and changing the admin token ends all of them. Each process remembers which sessions signed out.
 * For the reasons, see docs/decisions/console-sessions.md.
 */
export interface Sessions {
  /** Whether a text is the admin token, compared in constant time. */
  isAdminToken(text: string): boolean;
  /** A new session with a new ID. That of a proxy's operator is always the same, and needs no cookie. */
  start(operator: SignedIn): Session;
  /** The cookie value of a session. */
  seal(session: Session): string;
  /** The session of a cookie; null if it is forged, has expired or was signed out. */
  open(sealed: string): Session | null;
  /** The session with the current time of use, or null while its cookie is recent enough. */
  renewed(session: Session): Session | null;
  isLive(session: Session): boolean;
  /** Ends a session, except a proxy's operator's: only the proxy can. */
  end(session: Session): void;
  /** The CSRF token that the session's forms include. */
  csrfToken(session: Session): string;
  isCsrfToken(session: Session, text: string): boolean;
  /** A text for a cookie that only this deployment can make. */
  sign(text: string): string;
  /** The text of such a cookie; null if it is forged. */
  verify(signed: string): string | null;
}

/**
 * @param options.adminToken should be as random as those of `./geolookup secrets`: with a cookie, tokens can be guessed offline, though
 * slowly (scrypt).
 */
export function createSessions(options: {
  adminToken: string;
  clock: Clock;
  randomBytes: (size: number) => Buffer;
}): Sessions {
  const { clock } = options;
  let key: Buffer | undefined;
  // Derived when it is first needed: it takes about 50 ms, and most processes never see an operator.
  const derivedKey = () => (key ??= scryptSync(options.adminToken, "geolookup console", SECRET_BYTES));
  const tokenHash = sha256(options.adminToken);
  const mac = (use: string, text: string) =>
    createHmac("sha256", derivedKey()).update(`${use}\n${text}`).digest("base64url");
  const newId = () => options.randomBytes(SECRET_BYTES).toString("base64url");
  /** When each signed-out session would have expired, by its ID. */
  const endedUntilMs = new Map<string, number>();

  const isLive = ({ id, signedInAtMs, seenAtMs }: Session) => {
    const now = clock();
    return now < seenAtMs + MAX_IDLE_MS && now < signedInAtMs + MAX_SESSION_MS && !endedUntilMs.has(id);
  };
  return {
    isAdminToken: (text) => timingSafeEqual(sha256(text), tokenHash),
    start: (operator) => {
      const id = operator.source === "proxy" ? mac("proxy", JSON.stringify(operator)) : newId();
      return { id, operator, signedInAtMs: clock(), seenAtMs: clock() };
    },
    seal({ id, operator, signedInAtMs, seenAtMs }) {
      const who = Buffer.from(JSON.stringify(operator)).toString("base64url");
      const text = `${id}.${signedInAtMs.toString(36)}.${seenAtMs.toString(36)}.${who}`;
      return `${text}.${mac("session", text)}`;
    },
    open(sealed) {
      const [, text = "", id = "", signedInAt = "", seenAt = "", who = "", sentMac = ""] = SEALED.exec(sealed) ?? [];
      if (!isSame(sentMac, mac("session", text))) return null;
      const operator: SignedIn = JSON.parse(Buffer.from(who, "base64url").toString());
      const [signedInAtMs, seenAtMs] = [Number.parseInt(signedInAt, 36), Number.parseInt(seenAt, 36)];
      const session = { id, operator, signedInAtMs, seenAtMs };
      return isLive(session) ? session : null;
    },
    renewed: (session) => (clock() - session.seenAtMs < RENEW_MS ? null : { ...session, seenAtMs: clock() }),
    isLive,
    end({ id, operator, signedInAtMs }) {
      if (operator.source === "proxy") return;
      for (const [other, untilMs] of endedUntilMs) if (untilMs <= clock()) endedUntilMs.delete(other);
      endedUntilMs.set(id, signedInAtMs + MAX_SESSION_MS);
    },
    csrfToken: ({ id }) => mac("form", id),
    isCsrfToken: ({ id }, text) => isSame(text, mac("form", id)),
    sign(text) {
      const encoded = Buffer.from(text).toString("base64url");
      return `${encoded}.${mac("text", encoded)}`;
    },
    verify(signed) {
      const [encoded = "", sentMac = ""] = signed.split(".");
      return isSame(sentMac, mac("text", encoded)) ? Buffer.from(encoded, "base64url").toString() : null;
    },
  };
}

function isSame(left: string, right: string): boolean {
  return timingSafeEqual(sha256(left), sha256(right));
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
