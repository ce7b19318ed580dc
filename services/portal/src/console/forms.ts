import express, { type Request, type RequestHandler } from "express";

/** A form that cannot be taken, with its HTTP status. */
export class FormError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Enough for a hundred of the longest origins with all other fields. Gateways read no longer forms either. */
export const FORM_BYTES = 65_536;
const FORM_TYPE = "application/x-www-form-urlencoded";
/** As browsers send it; other character sets could hide what is sent. */
const FORM_HEADER = /^application\/x-www-form-urlencoded(?: *; *charset="?utf-8"?)?$/i;

/** Reads a form's body as text, up to so many bytes. Errors have an HTTP status. */
export function formBody(limitBytes: number): RequestHandler[] {
  return [
    (req, _res, next) => {
      const isForm = FORM_HEADER.test(req.get("content-type") ?? "");
      next(isForm ? undefined : new FormError(415, "This is no form of the console."));
    },
    express.text({ type: FORM_TYPE, limit: limitBytes, inflate: false }),
  ];
}

/**
 * The fields of a form that formBody has read.
 * @throws FormError for one that is there twice: which of them counts would be a guess.
 */
export function formFields(req: Request): (name: string) => string {
  const fields = new URLSearchParams(typeof req.body === "string" ? req.body : "");
  return (name) => {
    const [value = "", ...more] = fields.getAll(name);
    if (more.length > 0) throw new FormError(400, `The form has its field ${name} twice.`);
    return value;
  };
}
