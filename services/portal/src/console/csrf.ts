import type { RequestHandler } from "express";
import { type Html, html } from "../html.ts";
import { type ConsoleContext, sessionOf } from "./context.ts";
import { FormError, formBody, formFields } from "./forms.ts";

/** Enough for a hundred of the longest origins and all other fields. Gateways have the same limit. */
const FORM_BYTES = 65_536;

/** What every route for a form of a session begins with: reads the form, and refuses one without the session's CSRF token. */
export function sessionForm(context: Pick<ConsoleContext, "sessions">): RequestHandler[] {
  return [...formBody(FORM_BYTES), requireCsrfToken(context)];
}

/** The hidden field that every form of a session must include. */
export function csrfTokenField(csrfToken: string): Html {
  return html`<input type="hidden" name="form_token" value="${csrfToken}">`;
}

/** Refuses forms without their session's CSRF token. Must come after formBody. */
export function requireCsrfToken({ sessions }: Pick<ConsoleContext, "sessions">): RequestHandler {
  return (req, res, next) => {
    const isOwn = sessions.isCsrfToken(sessionOf(res), formFields(req)("form_token"));
    next(
      isOwn
        ? undefined
        : new FormError(403, "This form belongs to another session. Go back, reload the page, and submit it again."),
    );
  };
}

/** Refuses forms from other origins. It also protects the sign-in form, which has no session and therefore no token. */
export function requireOwnOrigin(deployment: ConsoleContext["deployment"]): RequestHandler {
  return (req, _res, next) => {
    const { docsUrl } = deployment();
    const isOwn = docsUrl !== null && withoutDot(req.get("origin")) === withoutDot(new URL(docsUrl).origin);
    if (req.method !== "POST" || isOwn) next();
    else next(new FormError(403, `Forms are only accepted from the console's own pages, at ${docsUrl ?? "DOCS_URL"}.`));
  };
}

/** An origin without the dot at the end of a fully qualified name, which browsers keep. */
function withoutDot(origin: string | undefined): string | undefined {
  return origin?.replace(/\.(?=:\d+$|$)/, "");
}
