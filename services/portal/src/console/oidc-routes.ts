import { budgeted } from "@geolookup/shared/runtime/observability/log-budget.ts";
import { type Response, Router } from "express";
import type { Backend } from "../deployment/backend.ts";
import { html } from "../html.ts";
import { currentRole } from "./access.ts";
import type { ConsoleContext } from "./context.ts";
import type { Cookies } from "./cookies.ts";
import type { Entrance } from "./entrance.ts";
import { queryOf } from "./forms.ts";
import { sendPage } from "./frame.ts";
import { OIDC_CALLBACK_PATH, type OidcChecks, OidcError, type OidcUser, type OpenIdConnect } from "./oidc.ts";
import { ownPage, sendSignIn } from "./sign-in.ts";

/** How long an operator may take at the issuer. */
const MAX_SIGN_IN_MS = 10 * 60_000;

/** What the browser keeps meanwhile. */
interface Pending extends OidcChecks {
  next: string;
  untilMs: number;
}

/** Signing in at an OpenID Connect issuer. */
export function oidcRoutes(
  context: ConsoleContext,
  options: { oidc: OpenIdConnect; pending: Cookies; entrance: Entrance; backend: Backend },
): Router {
  const { sessions, deployment, clock, log } = context;
  const { oidc, pending, entrance, backend } = options;
  const callback = (query = "") => new URL(OIDC_CALLBACK_PATH + query, deployment().docsUrl ?? "");
  const fail = (res: Response, next: string, error: unknown) => {
    if (!(error instanceof OidcError)) throw error;
    budgeted(log).warn({ err: error.cause ?? error }, "OpenID Connect sign-in failed");
    if (error.isRefusal) entrance.refuse("oidc");
    sendSignIn(res, context, { next, status: error.isRefusal ? 403 : 502, problem: error.message });
  };
  const router = Router({ caseSensitive: true, strict: true });

  router.get("/sign-in/oidc", async (req, res: Response) => {
    const next = ownPage(queryOf(req.url).get("next"));
    try {
      const { url, checks } = await oidc.start(callback().href);
      const kept: Pending = { ...checks, next, untilMs: clock() + MAX_SIGN_IN_MS };
      pending.set(res, sessions.sign(JSON.stringify(kept)));
      res.redirect(303, url);
    } catch (error) {
      fail(res, next, error);
    }
  });

  router.get("/sign-in/oidc/callback", async (req, res: Response) => {
    const [kept] = pending.read(req).flatMap((signed): Pending[] => {
      const text = sessions.verify(signed);
      return text === null ? [] : [JSON.parse(text)];
    });
    // It works once.
    pending.clear(res);
    const next = kept?.next ?? ownPage(null);
    try {
      if (kept === undefined || clock() > kept.untilMs)
        throw new OidcError("This sign-in was started in another browser, or too long ago. Try again.", true);
      const user = await oidc.finish(callback(req.url.slice(req.path.length)), kept);
      const { name, role } = user;
      const operator = { name, source: "oidc", role, version: oidc.version } as const;
      if ((await currentRole(backend, operator)) === null) throw new OidcError(withoutRole(user), true);
      entrance.enter(res, operator);
      // The session's cookie isn't sent with a redirect that another site started, but with one of the console's own pages.
      res.set("Refresh", `0; url=${next}`);
      sendPage(
        res,
        context,
        "Signed in",
        html`<h1>Signed in</h1>\n<p><a href="${next}">Continue to the console</a></p>`,
      );
    } catch (error) {
      fail(res, next, error);
    }
  });
  return router;
}

function withoutRole({ name, values }: OidcUser): string {
  const groups = values.length === 0 ? "" : ` OIDC_ROLES has none of your groups: ${values.slice(0, 20).join(", ")}.`;
  return `${name} isn't an operator of this deployment.${groups} Ask an admin.`;
}
