import type { RequestHandler } from "express";
import { scriptDirectives, securityHeaders } from "../security-headers.ts";
import { type ConsoleContext, findSession } from "./context.ts";
import { requireOwnOrigin } from "./csrf.ts";

const HEADERS = {
  ...securityHeaders({ ...scriptDirectives(null), "form-action": "'self'" }),
  "Cache-Control": "no-store",
  // With no-referrer, browsers send `Origin: null` with forms, which would make forged forms indistinguishable (csrf.ts).
  "Referrer-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
};
const METHODS = new Set(["GET", "HEAD", "POST"]);

/** The checks of every request, in order: headers, method, origin of a form, session. */
export function requestChecks({ deployment, sessions, cookies }: ConsoleContext): RequestHandler[] {
  const strictHeaders: RequestHandler = (_req, res, next) => {
    res.set(HEADERS);
    next();
  };
  const knownMethod: RequestHandler = (req, res, next) => {
    if (METHODS.has(req.method)) next();
    else
      res
        .status(405)
        .set("Allow", [...METHODS].join(", "))
        .type("text")
        .send("The console supports GET and POST.\n");
  };
  const session: RequestHandler = (req, res, next) => {
    const [found] = cookies.read(req).flatMap((sealed) => sessions.open(sealed) ?? []);
    // A page left open reconnects to its live updates every minute. That doesn't keep the session alive.
    const renewed = found && !req.path.endsWith("/events") && sessions.renewed(found);
    if (renewed) cookies.set(res, sessions.seal(renewed));
    res.locals.session = renewed || found || null;
    next();
  };
  return [strictHeaders, knownMethod, requireOwnOrigin(deployment), session];
}

/** Lets signed-in operators pass, and redirects everyone else to the sign-in page, which leads back. */
export const requireSession: RequestHandler = (req, res, next) => {
  if (findSession(res)) return next();
  // A script requests live updates; it would treat a page as a network failure.
  if (req.path.endsWith("/events")) return void res.sendStatus(401);
  const query = req.method === "POST" ? "" : `?${new URLSearchParams({ next: req.originalUrl })}`;
  res.redirect(303, `/console/sign-in${query}`);
};
