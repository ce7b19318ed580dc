import type { Request, Response } from "express";

/**
 * The console's session cookie: for its own host alone, out of reach of scripts, never sent along from other sites; under TLS
 * never without it, and by their `__Host-` prefix set by nobody but this host.
 */
export interface Cookies {
  /** Every value that was sent under the name: a browser may hold several, planted ones among them. */
  read(req: Request): string[];
  set(res: Response, value: string): void;
  clear(res: Response): void;
}

/** @param isSecure whether browsers reach the console over TLS. */
export function createCookies(isSecure: () => boolean): Cookies {
  const name = () => `${isSecure() ? "__Host-" : ""}geolookup-session`;
  const options = () => ({ httpOnly: true, sameSite: "strict", secure: isSecure(), path: "/" }) as const;
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
