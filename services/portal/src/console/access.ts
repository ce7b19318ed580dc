import type { Role } from "@geolookup/shared/domain/operators.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { Request, RequestHandler } from "express";
import type { Backend } from "../deployment/backend.ts";
import { scriptDirectives, securityHeaders } from "../security-headers.ts";
import { type ConsoleContext, findSession, hasRole } from "./context.ts";
import { csrfTokenField, requireOwnOrigin } from "./csrf.ts";
import type { Entrance } from "./entrance.ts";
import { FormError } from "./forms.ts";
import type { SignedIn } from "./sessions.ts";

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
export function requestChecks(
  { deployment, sessions, cookies }: ConsoleContext,
  options: {
    backend: Backend;
    entrance: Entrance;
    operatorByProxy: (req: Request) => SignedIn | null;
    /** Null while OpenID Connect is off. */
    oidcVersion: number | null;
  },
): RequestHandler[] {
  const { backend, entrance, operatorByProxy, oidcVersion } = options;
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
  const session: RequestHandler = async (req, res, next) => {
    res.locals.session = null;
    const [found] = cookies
      .read(req)
      .flatMap((sealed) => sessions.open(sealed) ?? [])
      // A proxy names the operator with each request; only portals of earlier versions made a cookie of that.
      .filter(
        ({ operator: { source, version } }) => source !== "proxy" && (source !== "oidc" || version === oidcVersion),
      );
    const operator = found?.operator ?? operatorByProxy(req);
    if (!operator) return next();
    try {
      const role = await currentRole(backend, operator);
      if (role === null) {
        res.locals.refused = operator;
        return next();
      }
      const session = found ?? entrance.pass(operator);
      // A page left open reconnects to its live updates every minute. That doesn't keep the session alive.
      const renewed = !req.path.endsWith("/events") && sessions.renewed(session);
      if (renewed) cookies.set(res, sessions.seal(renewed));
      const { name, source, role: granted } = operator;
      const as = source === "admin" ? backend : backend.as({ name, role: granted });
      const hidden = csrfTokenField(sessions.csrfToken(session));
      Object.assign(res.locals, { session: renewed || session, role, backend: as, hidden });
    } catch (error) {
      // The sign-in page still works: ADMIN_TOKEN is the way in while auth is unavailable.
      res.locals.unknown = error;
    }
    next();
  };
  return [strictHeaders, knownMethod, requireOwnOrigin(deployment), session];
}

/**
 * The role that an operator has now.
 * @returns null if they aren't an operator any longer, or their token has expired or was replaced.
 * @throws ServiceError if auth is unavailable
 */
export async function currentRole(backend: Backend, { name, source, role, version }: SignedIn): Promise<Role | null> {
  if (source === "admin") return "admin";
  try {
    const operator = await backend.as({ name, role }).whoAmI();
    return source === "token" && operator.version !== version ? null : (operator.role as Role);
  } catch (error) {
    if (error instanceof ServiceError && NO_OPERATOR.has(error.code)) return null;
    throw error;
  }
}

const NO_OPERATOR: ReadonlySet<string> = new Set(["unauthenticated", "forbidden", "not_found"]);

/** Lets signed-in operators pass, and redirects everyone else to the sign-in page, which leads back. */
export const requireSession: RequestHandler = (req, res, next) => {
  if (findSession(res)) return next();
  if (res.locals.unknown) return next(res.locals.unknown);
  // A script requests live updates; it would treat a page as a network failure.
  if (req.path.endsWith("/events")) return void res.sendStatus(401);
  const query = req.method === "POST" ? "" : `?${new URLSearchParams({ next: req.originalUrl })}`;
  res.redirect(303, `/console/sign-in${query}`);
};

/** Refuses pages and changes beyond the operator's role that auth doesn't know of. */
export function requireRole(role: Role): RequestHandler {
  const refusal = `This needs the role ${role}. Ask an admin of this deployment for it.`;
  return (_req, res, next) => next(hasRole(res, role) ? undefined : new FormError(403, refusal));
}
