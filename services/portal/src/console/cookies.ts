import type { Request, Response } from "express";

/** How long a browser stays known. */
const KNOWN_MS = 90 * 86_400_000;

export type CookieUse = "session" | "browser";

/**
 * The console's cookies: for its own host alone, out of reach of scripts, never sent along from other sites; under TLS
 * never without it, and by their `__Host-` prefix set by nobody but this host.
 */
export interface Cookies {
  /** Every value that was sent under the name: a browser may hold several, planted ones among them. */
  read(req: Request, use: CookieUse): string[];
  set(res: Response, use: CookieUse, value: string): void;
  clear(res: Response, use: CookieUse): void;
}

/** @param isSecure whether browsers reach the console over TLS. */
export function createCookies(isSecure: () => boolean): Cookies {
  const nameOf = (use: CookieUse) => `${isSecure() ? "__Host-" : ""}geolookup-${use}`;
  const options = () => ({ httpOnly: true, sameSite: "strict", secure: isSecure(), path: "/" }) as const;
  return {
    read(req, use) {
      const prefix = `${nameOf(use)}=`;
      const pairs = (req.get("cookie") ?? "").split(";").map((pair) => pair.trim());
      return pairs.filter((pair) => pair.startsWith(prefix)).map((pair) => pair.slice(prefix.length));
    },
    set(res, use, value) {
      res.cookie(nameOf(use), value, { ...options(), ...(use === "browser" && { maxAge: KNOWN_MS }) });
    },
    clear: (res, use) => void res.clearCookie(nameOf(use), options()),
  };
}
