import { ServiceError, type ServiceErrorCode } from "@geolookup/shared/domain/service-error.ts";
import { type Request, type Response, Router } from "express";
import { KeyChangeError, type KeyProperties } from "../deployment/backend.ts";
import { orNull } from "../deployment/services.ts";
import { urlsOrExamples } from "../docs/examples.ts";
import { requireRole } from "./access.ts";
import { backendOf, type ConsoleContext, hasRole, hiddenOf, sessionOf } from "./context.ts";
import { sessionForm } from "./csrf.ts";
import { isKeyId, readExpiry, readOrigins, readOverlap } from "./fields.ts";
import { sentence } from "./format.ts";
import { FormError, formFields, formValues, queryOf } from "./forms.ts";
import { sendPage } from "./frame.ts";
import { issuedPage } from "./key-issued-page.ts";
import { revokePage } from "./key-life.ts";
import { keyPage } from "./key-page.ts";
import { type KeySettings, type Refused, readMetadata, SETTINGS, type Setting } from "./key-settings.ts";
import { keyUsage } from "./key-usage.ts";
import { savedQuery } from "./saved-notice.ts";
import type { Streams } from "./streams.ts";
import { usageCsv } from "./usage-csv.ts";
import { keptMonths, readMonth } from "./usage-months.ts";
import { type Range, readRange } from "./usage-range.ts";

const READ: Readonly<Record<Setting, (text: string) => KeyProperties>> = {
  plan: (plan) => ({ plan }),
  label: (label) => ({ label }),
  origins: (text) => ({ origins: readOrigins(text) }),
  expires: (day) => ({ expiresAt: readExpiry(day) }),
  customer: (id) => ({ customer: id.trim() }),
  metadata: (text) => ({ metadata: readMetadata(text) }),
};
const CHANGED_SINCE =
  "Your change wasn't saved, because the key has changed since you loaded this page. See its history below. Your input is " +
  "still in the form. To apply it anyway, save again.";

/** A key's page with its usage, settings and history, and its usage as CSV. */
export function keyRoutes(context: ConsoleContext, { streams }: { streams: Streams }): Router {
  const { backend, deployment, clock } = context;
  const router = Router({ caseSensitive: true, strict: true });
  router.param("keyId", (_req, _res, next, keyId) => next(isKeyId(keyId) ? undefined : "router"));

  const sendKey = async (
    res: Response,
    keyId: string,
    range: Range,
    {
      saved = null,
      status = 200,
      refused = null,
    }: { saved?: string | null; status?: number; refused?: Refused | null } = {},
  ) => {
    const key = await backend.getKey(keyId);
    const [lastUsed, history, usage] = await Promise.all([
      orNull(backend.lastUsed([keyId])),
      // The page works while NATS is too slow for the history, or usage is unavailable.
      orNull(backend.history(keyId)),
      orNull(keyUsage(context, key, range)()),
    ]);
    const plans = deployment().plans();
    const content = keyPage({
      key,
      lastUsed: lastUsed?.[0] ?? null,
      history,
      usage,
      plans,
      hidden: hiddenOf(res),
      saved,
      refused,
      mayChange: hasRole(res, "operator"),
    });
    sendPage(res, context, key.label || keyId, content, { path: "/console/keys", status });
  };
  const sendRevoke = async (res: Response, keyId: string, refused?: { reason: string; problem: string }) => {
    const content = revokePage(await backend.getKey(keyId), hiddenOf(res), refused);
    sendPage(res, context, "Revoke a key", content, { path: "/console/keys", status: refused ? 400 : 200 });
  };

  router.get("/keys/:keyId", (req, res) =>
    sendKey(res, req.params.keyId, readRange(req.url, clock()), { saved: queryOf(req.url).get("saved") }),
  );
  const sendCsv = async (req: Request<{ keyId: string }>, res: Response) => {
    const chosen = readMonth(req.url, clock());
    const key = await backend.getKey(req.params.keyId);
    const selected = chosen === null ? keptMonths(clock()) : [chosen];
    const months = await Promise.all(selected.map((each) => backend.usage(key.keyId, each)));
    res.type("text/csv").attachment(`usage-${key.keyId}.csv`).send(usageCsv(key, months));
  };
  router.get("/keys/:keyId/usage.csv", (req, res) => streams.export(res, sessionOf(res), () => sendCsv(req, res)));
  router.get("/keys/:keyId/revoke", requireRole("operator"), (req: Request<{ keyId: string }>, res) =>
    sendRevoke(res, req.params.keyId),
  );

  const form = sessionForm(context);
  router.post("/keys/:keyId/revoke", form, async (req: Request<{ keyId: string }>, res: Response) => {
    const { keyId } = req.params;
    const reason = formFields(req)("reason");
    try {
      await backendOf(res).revokeKey(keyId, reason);
    } catch (error) {
      if (!isRefusal(error, "invalid")) throw error;
      return sendRevoke(res, keyId, { reason, problem: error.message });
    }
    res.redirect(303, `/console/keys/${keyId}?saved=revoked`);
  });
  router.post("/keys/:keyId/rotate", form, async (req: Request<{ keyId: string }>, res: Response) => {
    const { secret, key } = await backendOf(res).rotateKey(req.params.keyId, readOverlap(formFields(req)("overlap")));
    const content = issuedPage(secret, key, urlsOrExamples(deployment()).apiUrl);
    sendPage(res, context, "Key issued", content, { path: "/console/keys", scripts: ["/assets/snippets.js"] });
  });
  router.post("/keys/:keyId/disable", form, async (req: Request<{ keyId: string }>, res: Response) => {
    await backendOf(res).disableKey(req.params.keyId, formFields(req)("reason"));
    res.redirect(303, `/console/keys/${req.params.keyId}`);
  });
  router.post("/keys/:keyId/enable", form, async (req: Request<{ keyId: string }>, res: Response) => {
    await backendOf(res).enableKey(req.params.keyId);
    res.redirect(303, `/console/keys/${req.params.keyId}`);
  });
  // Version 0.1 has a form for each setting. A page may still be open from before an upgrade.
  const paths = ["settings", ...SETTINGS].map((name) => `/keys/:keyId/${name}`);
  router.post(paths, form, async (req: Request<{ keyId: string }>, res: Response) => {
    const { keyId } = req.params;
    const edited = readEdited(req);
    const expectedVersion = readVersion(formFields(req)("version"));
    const properties = Object.entries(edited).map(([setting, text]) => READ[setting as Setting](text));
    try {
      const key = await backendOf(res).changeKey(keyId, Object.assign({ expectedVersion }, ...properties));
      res.redirect(303, `/console/keys/${keyId}${key ? savedQuery(expectedVersion, key.version) : ""}`);
    } catch (error) {
      if (!(error instanceof KeyChangeError && isRefusal(error, "invalid", "conflict"))) throw error;
      const [status, problem] = error.code === "invalid" ? [400, sentence(error.message)] : [409, CHANGED_SINCE];
      const already =
        error.saved.length === 0 ? "" : `${sentence(`${error.saved.map(settingOf).join(" and ")} saved`)} `;
      const setting = error.code === "invalid" ? settingOf(error.property) : null;
      await sendKey(res, keyId, "days", { status, refused: { edited, problem: already + problem, setting } });
    }
  });
  return router;
}

function settingOf(property: keyof KeyProperties): Setting {
  return property === "expiresAt" ? "expires" : property;
}

/** The settings that the operator edited. What the form doesn't have stays as it is. */
function readEdited(req: Request): Partial<KeySettings> {
  const field = formFields(req);
  const has = (name: string) => formValues(req, name).length > 0;
  const form = (setting: Setting, value: string) =>
    setting === "origins" ? readOrigins(value).join() : value.replaceAll("\r\n", "\n");
  const isEdited = (setting: Setting) =>
    !has(`was-${setting}`) || form(setting, field(setting)) !== form(setting, field(`was-${setting}`));
  const edited = SETTINGS.filter((setting) => has(setting) && isEdited(setting));
  return Object.fromEntries(edited.map((setting) => [setting, field(setting)]));
}

/** @throws FormError if the version isn't valid. */
function readVersion(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new FormError(400, "The form doesn't say which version of the key it applies to. Reload the key's page.");
}

function isRefusal(error: unknown, ...codes: ServiceErrorCode[]): error is ServiceError {
  return error instanceof ServiceError && codes.includes(error.code);
}
