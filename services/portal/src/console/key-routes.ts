import { periodAt } from "@geolookup/shared/domain/period.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { type Request, type RequestHandler, type Response, Router } from "express";
import { requireFormToken } from "./access.ts";
import type { KeyChange } from "./backend.ts";
import { type ConsoleContext, operatorOf } from "./context.ts";
import { FORM_BYTES, formBody, formFields } from "./forms.ts";
import { sendPage } from "./frame.ts";
import { readOrigins } from "./key-fields.ts";
import { keyPage } from "./key-page.ts";
import { revokePage } from "./revoke-page.ts";
import { usageCsv } from "./usage-csv.ts";
import { keptMonths, readMonth } from "./usage-months.ts";

type Field = ReturnType<typeof formFields>;

/** What each form of a key's page does. */
const CHANGES: Readonly<Record<string, (field: Field) => KeyChange>> = {
  plan: (field) => ({ method: "setPlan", plan: field("plan") }),
  label: (field) => ({ method: "setLabel", label: field("label") }),
  origins: (field) => ({ method: "setOrigins", origins: readOrigins(field("origins")) }),
  revoke: (field) => ({ method: "revokeKey", reason: field("reason") }),
};
const KEY_ID = /^key_[0-9A-Za-z]{1,40}$/;

/** Whether a text may be a key's ID: nothing else becomes a part of a header or a link. */
export function isKeyId(text: string): boolean {
  return KEY_ID.test(text);
}

/** A key with its usage and history, what can be changed of it, its usage as CSV. */
export function keyRoutes(context: ConsoleContext): Router {
  const { backend, sessions, site, clock } = context;
  const router = Router({ caseSensitive: true, strict: true });
  router.param("keyId", (_req, _res, next, keyId) => next(isKeyId(keyId) ? undefined : "router"));

  const sendKey = async (res: Response, keyId: string, month: string, problem?: string) => {
    const [key, history, usage, months] = await Promise.all([
      backend.getKey(keyId),
      backend.history(keyId),
      orNull(backend.usage(keyId, month)),
      orNull(Promise.all(keptMonths(clock()).map((each) => backend.usage(keyId, each)))),
    ]);
    const formToken = sessions.formToken(operatorOf(res));
    const current = periodAt(clock());
    const content = keyPage({ key, history, usage, months, month, current, plans: site().plans(), formToken, problem });
    const status = problem === undefined ? 200 : 400;
    sendPage(res, context, key.label || keyId, content, { path: "/console/keys", status });
  };

  router.get("/keys/:keyId", (req, res) => sendKey(res, req.params.keyId, readMonth(req.url, clock())));
  router.get("/keys/:keyId/usage.csv", async (req, res) => {
    const key = await backend.getKey(req.params.keyId);
    const months = await Promise.all(keptMonths(clock()).map((each) => backend.usage(key.keyId, each)));
    res.type("text/csv").attachment(`usage-${key.keyId}.csv`).send(usageCsv(key, months));
  });
  router.get("/keys/:keyId/revoke", async (req, res) => {
    const key = await backend.getKey(req.params.keyId);
    const content = revokePage(key, sessions.formToken(operatorOf(res)));
    sendPage(res, context, "Revoke a key", content, { path: "/console/keys" });
  });

  const change: RequestHandler<{ keyId: string; change: string }> = async (req, res, next) => {
    const { keyId } = req.params;
    const read = Object.hasOwn(CHANGES, req.params.change) ? CHANGES[req.params.change] : undefined;
    if (!read) return next();
    try {
      await backend.changeKey(keyId, read(formFields(req as Request)));
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== "invalid") throw error;
      return sendKey(res, keyId, periodAt(clock()).month, error.message);
    }
    res.redirect(303, `/console/keys/${keyId}`);
  };
  router.post("/keys/:keyId/:change", formBody(FORM_BYTES), requireFormToken(context), change);
  return router;
}

/** A key can be seen while usage does not answer. */
async function orNull<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}
