import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { budgeted } from "@geolookup/shared/runtime/observability/log-budget.ts";
import type { Counter } from "@prometheus-io/client";
import { type Request, type Response, Router } from "express";
import { html } from "../html.ts";
import { requireSession } from "./access.ts";
import { type ConsoleContext, findSession, sessionOf } from "./context.ts";
import { requireCsrfToken } from "./csrf.ts";
import { formBody, formFields, queryOf } from "./forms.ts";
import { sendPage } from "./frame.ts";

const FORM_BYTES = 4_096;
const DESCRIBED = html` aria-describedby="problem"`;
const START_PAGE = "/console";

/** The response to a wrong token during a flood of them. It's static, so it costs nothing. */
const BRIEF_REFUSAL = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Sign in · geolookup</title></head>
<body><h1>That isn't the admin token</h1>
<p>There have been too many wrong tokens recently. <a href="/console/sign-in">Try again</a>.</p></body>
</html>
`;

/** Paths of console pages, with queries. Never matches a URL that a browser could interpret as another site. */
const OWN_PAGE = /^\/console(?:\/[\w-]+)*(?:\?[\w=&%.+*-]*)?$/;

/** Signing in and out. */
export function signInRoutes(
  context: ConsoleContext,
  options: {
    failures: FailureBudget;
    signIns: Counter<"outcome">;
    onSignOut: (sessionId: string) => void;
  },
): Router {
  const { sessions, cookies, log } = context;
  const { failures, signIns, onSignOut } = options;
  const router = Router({ caseSensitive: true, strict: true });

  router.get("/sign-in", (req, res) => {
    const next = ownPage(queryOf(req.url).get("next"));
    if (findSession(res)) res.redirect(303, next);
    else sendSignIn(res, context, { next });
  });

  router.post("/sign-in", formBody(FORM_BYTES), (req: Request, res: Response) => {
    const field = formFields(req);
    const next = ownPage(field("next"));
    // Before any limit, because wrong tokens must not lock out the operator.
    if (!sessions.isAdminToken(field("token").trim())) {
      if (!failures.take()) {
        signIns.inc({ outcome: "held_back" });
        return void res.status(429).set("Retry-After", "1").type("html").send(BRIEF_REFUSAL);
      }
      signIns.inc({ outcome: "refused" });
      budgeted(log).warn({}, "console sign-in with a wrong admin token");
      return sendSignIn(res, context, { next, status: 403, problem: "That isn't the admin token." });
    }
    signIns.inc({ outcome: "signed_in" });
    const old = findSession(res);
    if (old) endSession(old.id);
    const session = sessions.start();
    cookies.set(res, sessions.seal(session));
    log.info("console sign-in");
    res.redirect(303, next);

    function endSession(id: string) {
      if (old) sessions.end(old);
      onSignOut(id);
    }
  });

  router.post(
    "/sign-out",
    requireSession,
    formBody(FORM_BYTES),
    requireCsrfToken(context),
    (_req: Request, res: Response) => {
      const session = sessionOf(res);
      sessions.end(session);
      onSignOut(session.id);
      cookies.clear(res);
      res.redirect(303, "/console/sign-in");
    },
  );
  return router;
}

/** Where to go after signing in. Always a page of the console. */
export function ownPage(next: string | null): string {
  return next !== null && OWN_PAGE.test(next) && !next.startsWith("/console/sign-") ? next : START_PAGE;
}

function sendSignIn(
  res: Response,
  context: ConsoleContext,
  { next, status = 200, problem }: { next: string; status?: number; problem?: string },
): void {
  const content = html`<div class="sign-in">
<h1>Operator console</h1>
<p class="lede">Sign in with the admin token of this deployment.</p>
${problem === undefined ? "" : html`<p class="problem" id="problem" role="alert">${problem}</p>\n`}<form method="post" action="/console/sign-in">
<input type="hidden" name="next" value="${next}">
<label for="token">Admin token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required maxlength="512" autofocus${problem === undefined ? "" : DESCRIBED}>
<p class="hint">The token is the <code>ADMIN_TOKEN</code> of the services. With <code>make start</code>, it's in
<code>admin.json</code> in the <code>DATA_DIR</code>; with Docker Compose, it's in <code>secrets/admin-token</code>;
<code>make cluster</code> prints it.</p>
<button class="primary">Sign in</button>
</form>
</div>`;
  sendPage(res, context, "Sign in", content, { status });
}

/** Full responses to wrong tokens: burst and rate. */
const BURST = 20;
const PER_SECOND = 2;

/**
 * Limits the cost of wrong admin tokens. Within the budget, each gets a full page and a log line; beyond it, a brief refusal. The
 * right token doesn't use the budget.
 */
export interface FailureBudget {
  take(): boolean;
}

export function createFailureBudget(clock: Clock): FailureBudget {
  let shares = BURST;
  let lastMs = clock();
  return {
    take() {
      const nowMs = clock();
      shares = Math.min(BURST, shares + (Math.max(0, nowMs - lastMs) * PER_SECOND) / 1_000);
      lastMs = nowMs;
      if (shares < 1) return false;
      shares -= 1;
      return true;
    },
  };
}
