import { budgeted } from "@geolookup/shared/runtime/observability/log-budget.ts";
import { type Request, type Response, Router } from "express";
import type { Counter } from "prom-client";
import { html } from "../html.ts";
import { requireFormToken, requireSession } from "./access.ts";
import { type ConsoleContext, operatorOf, visitorOf } from "./context.ts";
import type { FailureBudget } from "./failure-budget.ts";
import { formBody, formFields } from "./forms.ts";
import { sendPage } from "./frame.ts";

const FORM_BYTES = 4_096;
const DESCRIBED = html` aria-describedby="problem"`;
const START_PAGE = "/console/keys";

/** The response to a wrong token during a flood of them. It costs nothing to build. */
const BRIEF_REFUSAL = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Sign in · geolookup</title></head>
<body><h1>That isn't the admin token</h1>
<p>There have been many wrong tokens. <a href="/console/sign-in">Try again</a>.</p></body>
</html>
`;

/** Pages of the console, their query with them: nothing that leads anywhere else, however browsers read it. */
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
    const next = ownPage(new URLSearchParams(req.url.split("?")[1] ?? "").get("next"));
    if (visitorOf(res)) res.redirect(303, next);
    else sendSignIn(res, context, { next });
  });

  router.post("/sign-in", formBody(FORM_BYTES), (req: Request, res: Response) => {
    const field = formFields(req);
    const next = ownPage(field("next"));
    // Before any limit: strangers' wrong tokens must not keep the right one out.
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
    const old = visitorOf(res);
    if (old) endSession(old.id);
    const session = sessions.start();
    cookies.set(res, sessions.seal(session));
    log.info("an operator has signed in to the console");
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
    requireFormToken(context),
    (_req: Request, res: Response) => {
      const session = operatorOf(res);
      sessions.end(session);
      onSignOut(session.id);
      cookies.clear(res);
      res.redirect(303, "/console/sign-in");
    },
  );
  return router;
}

/** Where to go after signing in: a page of the console, whatever was asked for. */
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
<p class="hint">It is the <code>ADMIN_TOKEN</code> that the services have. What <code>make start</code> runs writes
it to <code>admin.json</code> in its <code>DATA_DIR</code>; with Docker Compose it is in <code>secrets/admin-token</code>;
<code>make cluster</code> prints it.</p>
<button class="primary">Sign in</button>
</form>
</div>`;
  sendPage(res, context, "Sign in", content, { status });
}
