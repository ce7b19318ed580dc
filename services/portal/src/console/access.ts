import type { RequestHandler } from "express";
import { scriptDirectives, securityHeaders } from "../security-headers.ts";
import { type ConsoleContext, operatorOf, visitorOf } from "./context.ts";
import { FormError, formFields } from "./forms.ts";

const HEADERS = {
  ...securityHeaders({ ...scriptDirectives(null), "form-action": "'self'" }),
  "Cache-Control": "no-store",
  // With no-referrer browsers send `Origin: null` with forms, and no form could be told from a stranger's.
  "Referrer-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
};
const METHODS = new Set(["GET", "HEAD", "POST"]);

/** What every request meets, in this order: headers, methods, where a form comes from, who sends it. */
export function forEveryone({ site, sessions, cookies }: ConsoleContext): RequestHandler[] {
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
        .send("The console answers GET and POST.\n");
  };
  const ownForm: RequestHandler = (req, _res, next) => {
    const { docsUrl } = site();
    const isOwn = docsUrl !== null && req.get("origin") === new URL(docsUrl).origin;
    if (req.method !== "POST" || isOwn) next();
    else next(new FormError(403, `Forms are taken from the console's own pages alone, at ${docsUrl ?? "DOCS_URL"}.`));
  };
  const session: RequestHandler = (req, res, next) => {
    const [found] = cookies.read(req).flatMap((sealed) => sessions.open(sealed) ?? []);
    // A page that is left open asks for its live part each minute: that is no use of the session.
    const renewed = found && !req.path.endsWith("/events") && sessions.renewed(found);
    if (renewed) cookies.set(res, sessions.seal(renewed));
    res.locals.session = renewed || found || null;
    next();
  };
  return [strictHeaders, knownMethod, ownForm, session];
}

/** Lets operators pass who are signed in; leads others to the sign-in page, and from there back. */
export const requireSession: RequestHandler = (req, res, next) => {
  if (visitorOf(res)) return next();
  // A script asks for live updates: it would take a page for a failure of the network.
  if (req.path.endsWith("/events")) return void res.sendStatus(401);
  const query = req.method === "POST" ? "" : `?${new URLSearchParams({ next: req.originalUrl })}`;
  res.redirect(303, `/console/sign-in${query}`);
};

/** Takes a form only with the token of its session. It comes after the form's body was read. */
export function requireFormToken({ sessions }: ConsoleContext): RequestHandler {
  return (req, res, next) => {
    const isOwn = sessions.isFormToken(operatorOf(res), formFields(req)("form_token"));
    next(
      isOwn
        ? undefined
        : new FormError(403, "This form is not of this session. Go back, load the page anew, and send it again."),
    );
  };
}
