import express, { type Request, type RequestHandler } from "express";
import { type Html, html } from "../html.ts";
import { type ConsoleContext, sessionOf } from "./context.ts";

/** A refused form, with its HTTP status. */
export class FormError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Enough for a hundred of the longest origins and all other fields. Gateways have the same limit. */
const FORM_BYTES = 65_536;
const FORM_TYPE = "application/x-www-form-urlencoded";
/** As browsers send it. Other character sets could hide the content. */
const FORM_HEADER = /^application\/x-www-form-urlencoded(?: *; *charset="?utf-8"?)?$/i;

/** Reads a form's body as text, up to `limitBytes`. Errors have an HTTP status. */
export function formBody(limitBytes: number): RequestHandler[] {
  return [
    (req, _res, next) => {
      const isForm = FORM_HEADER.test(req.get("content-type") ?? "");
      next(isForm ? undefined : new FormError(415, "The console only accepts URL-encoded forms."));
    },
    express.text({ type: FORM_TYPE, limit: limitBytes, inflate: false }),
  ];
}

/** What every route for a form of a session begins with: reads the form, and refuses one without the session's CSRF token. */
export function sessionForm(context: Pick<ConsoleContext, "sessions">): RequestHandler[] {
  return [...formBody(FORM_BYTES), requireCsrfToken(context)];
}

/** The query of a URL. */
export function queryOf(url: string): URLSearchParams {
  return new URLSearchParams(url.split("?")[1] ?? "");
}

/** All values of a field that a form may repeat, such as checkboxes. formBody must have read the form. */
export function formValues(req: Request, name: string): string[] {
  return new URLSearchParams(typeof req.body === "string" ? req.body : "").getAll(name);
}

/**
 * The fields of a form that formBody has read.
 * @throws FormError for a field that was sent more than once, since either value could be the intended one.
 */
export function formFields(req: Request): (name: string) => string {
  const fields = new URLSearchParams(typeof req.body === "string" ? req.body : "");
  return (name) => {
    const [value = "", ...more] = fields.getAll(name);
    if (more.length > 0) throw new FormError(400, `The form field ${name} was sent more than once.`);
    return value;
  };
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
    // A fully qualified name ends with a dot, and browsers keep it.
    const origin = req.get("origin")?.replace(/\.(?=:\d+$|$)/, "");
    const isOwn = docsUrl !== null && origin === new URL(docsUrl).origin;
    if (req.method !== "POST" || isOwn) next();
    else next(new FormError(403, `Forms are only accepted from the console's own pages, at ${docsUrl ?? "DOCS_URL"}.`));
  };
}
