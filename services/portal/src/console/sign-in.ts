import { ADMIN } from "@geolookup/shared/domain/operators.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { Counter } from "@prometheus-io/client";
import { type Request, type Response, Router } from "express";
import type { Backend } from "../deployment/backend.ts";
import { html } from "../html.ts";
import { requireSession } from "./access.ts";
import { type ConsoleContext, findSession, sessionOf } from "./context.ts";
import { requireCsrfToken } from "./csrf.ts";
import type { Entrance } from "./entrance.ts";
import { formBody, formFields, queryOf } from "./forms.ts";
import { sendPage } from "./frame.ts";
import type { RateBudget } from "./rate-budget.ts";
import type { SignedIn } from "./sessions.ts";

const FORM_BYTES = 4_096;
const DESCRIBED = html` aria-describedby="problem"`;
const START_PAGE = "/console";

/** The response to a wrong token during a flood of them. It's static, so it costs nothing. */
const BRIEF_REFUSAL = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Sign in · geolookup</title></head>
<body><h1>That isn't a valid token</h1>
<p>There have been too many wrong tokens recently. <a href="/console/sign-in">Try again</a>.</p></body>
</html>
`;

/** Where signing in at an OpenID Connect issuer starts. */
export const OIDC_PATH = "/console/sign-in/oidc";

/** Paths of console pages, with queries. Never matches a URL that a browser could interpret as another site. */
const OWN_PAGE = /^\/console(?:\/[\w-]+)*(?:\?[\w=&%.+*-]*)?$/;

/** Signing in and out. */
export function signInRoutes(
  context: ConsoleContext,
  options: {
    backend: Backend;
    entrance: Entrance;
    /** Full responses to wrong tokens; beyond it, they are brief. The right token doesn't use it. */
    failures: RateBudget;
    signIns: Counter<"outcome">;
  },
): Router {
  const { sessions } = context;
  const { backend, entrance, failures, signIns } = options;
  const router = Router({ caseSensitive: true, strict: true });

  router.get("/sign-in", (req, res) => {
    const next = ownPage(queryOf(req.url).get("next"));
    if (findSession(res)) res.redirect(303, next);
    else sendSignIn(res, context, { next });
  });

  router.post("/sign-in", formBody(FORM_BYTES), async (req: Request, res: Response) => {
    const field = formFields(req);
    const next = ownPage(field("next"));
    const token = field("token").trim();
    // Before any limit, because wrong tokens must not lock out the operator.
    const operator = sessions.isAdminToken(token) ? BY_ADMIN_TOKEN : await operatorWith(backend, token);
    if (operator === null) {
      if (!failures.take()) {
        signIns.inc({ outcome: "held_back" });
        return void res.status(429).set("Retry-After", "1").type("html").send(BRIEF_REFUSAL);
      }
      entrance.refuse("token", OPERATOR_TOKEN.test(token));
      return sendSignIn(res, context, { next, status: 403, problem: "That isn't a valid token." });
    }
    entrance.enter(res, operator);
    res.redirect(303, next);
  });

  router.post(
    "/sign-out",
    requireSession,
    formBody(FORM_BYTES),
    requireCsrfToken(context),
    (_req: Request, res: Response) => {
      entrance.leave(res, sessionOf(res));
      res.redirect(303, "/console/sign-in");
    },
  );
  return router;
}

const BY_ADMIN_TOKEN: SignedIn = { name: ADMIN, source: "admin", role: "admin", version: 0 };
const OPERATOR_TOKEN = /^geo_op_[0-9A-Za-z]{40}$/;

/** The operator with a token, or null. Auth records what it refuses. @throws ServiceError if auth is unavailable */
async function operatorWith(backend: Backend, token: string): Promise<SignedIn | null> {
  if (!OPERATOR_TOKEN.test(token)) return null;
  try {
    const { name, version } = await backend.whoAmI(token);
    return { name, source: "token", role: null, version };
  } catch (error) {
    if (error instanceof ServiceError && error.code === "unauthenticated") return null;
    throw error;
  }
}

/** Where to go after signing in. Always a page of the console. */
export function ownPage(next: string | null): string {
  return next !== null && OWN_PAGE.test(next) && !next.startsWith("/console/sign-") ? next : START_PAGE;
}

export function sendSignIn(
  res: Response,
  context: ConsoleContext,
  { next, status = 200, problem }: { next: string; status?: number; problem?: string },
): void {
  const { issuerHost } = context;
  // A proxy also lets in people who are not operators.
  const { refused } = res.locals;
  const isByProxy = refused?.source === "proxy";
  const content = html`<div class="sign-in">
<h1>Operator console</h1>
${isByProxy ? html`<p class="problem" role="alert">${refused.name} isn't an operator of this deployment. Ask an admin.</p>\n` : ""}${problem === undefined ? "" : html`<p class="problem" id="problem" role="alert">${problem}</p>\n`}${
  issuerHost === null
    ? ""
    : html`<p><a class="button primary" href="${OIDC_PATH}?${new URLSearchParams({ next }).toString()}">Sign in with ${issuerHost}</a></p>\n`
}<p class="lede">Sign in with your operator token, or with the admin token of this deployment.</p>
<form method="post" action="/console/sign-in">
<input type="hidden" name="next" value="${next}">
<label for="token">Token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required maxlength="512" autofocus${problem === undefined ? "" : DESCRIBED}>
<p class="hint">An admin gives you an operator token. The admin token is the <code>ADMIN_TOKEN</code> of the services. With <code>make start</code>, it's in
<code>admin.json</code> in the <code>DATA_DIR</code>; with Docker Compose, it's in <code>secrets/admin-token</code>;
<code>make cluster</code> prints it.</p>
<button class="primary">Sign in</button>
</form>
</div>`;
  sendPage(res, context, "Sign in", content, { status });
}
