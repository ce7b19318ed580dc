import type { Request, Response } from "express";

/**
 * A cookie of the console: for this host only, not readable by scripts, and a session's is never sent from other sites. If browsers use TLS,
 * the cookie requires it, and its `__Host-` prefix prevents other hosts from setting it.
 */
export interface Cookies {
  /** Every value sent under the name. A browser can hold several, and some may be planted. */
  read(req: Request): string[];
  set(res: Response, value: string): void;
  clear(res: Response): void;
}

/**
 * @param isSecure whether browsers use TLS to reach the console.
 * @param kind the session, or a sign-in in progress, whose cookie is also sent when another site leads back.
 */
export function createCookies(isSecure: () => boolean, kind: "session" | "sign-in" = "session"): Cookies {
  const name = () => `${isSecure() ? "__Host-" : ""}geolookup-${kind}`;
  const sameSite = kind === "session" ? "strict" : "lax";
  const options = () => ({ httpOnly: true, sameSite, secure: isSecure(), path: "/" }) as const;
  return {
    read(req) {
      const prefix = `${name()}=`;
      const pairs = (req.get("cookie") ?? "").split(";").map((pair) => pair.trim());
      return pairs.filter((pair) => pair.startsWith(prefix)).map((pair) => pair.slice(prefix.length));
    },
    set: (res, value) => void res.cookie(name(), value, options()),
    clear: (res) => void res.clearCookie(name(), options()),
  };
}
