import type { IncomingMessage } from "node:http";

/** Strangers can get these: malformed or too large form, wrong token or foreign form, method, type of body, too many wrong tokens. */
const REFUSAL_STATUSES = new Set([400, 403, 405, 413, 415, 429]);
const SIGN_IN_PATH = "/console/sign-in";

/** `failed` says nothing about the sender: a conflict between operators, or a service that is unavailable. */
export type FormOutcome = "accepted" | "refused" | "failed";

/**
 * What the portal's response says about the sender of a form. Strangers must not be able to cause `accepted`, which
 * clears their network (suspects.ts).
 */
export function formOutcome({ statusCode = 0, headers }: Pick<IncomingMessage, "statusCode" | "headers">): FormOutcome {
  if (REFUSAL_STATUSES.has(statusCode) || headers.location?.startsWith(SIGN_IN_PATH)) return "refused";
  return statusCode < 400 ? "accepted" : "failed";
}
