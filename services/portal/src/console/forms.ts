import express, { type Request, type RequestHandler } from "express";

/** A refused form, with its HTTP status. */
export class FormError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const FORM_TYPE = "application/x-www-form-urlencoded";
/** As browsers send it. Other character sets could hide the content. */
const FORM_HEADER = /^application\/x-www-form-urlencoded(?: *; *charset="?utf-8"?)?$/i;

/** Reads a form's body as text, up to `limitBytes`. Errors have an HTTP status. */
export function formBody(limitBytes: number): RequestHandler[] {
  return [
    (req, _res, next) => {
      const isForm = FORM_HEADER.test(req.get("content-type") ?? "");
      next(isForm ? undefined : new FormError(415, "Only URL-encoded forms are accepted."));
    },
    express.text({ type: FORM_TYPE, limit: limitBytes, inflate: false }),
  ];
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
