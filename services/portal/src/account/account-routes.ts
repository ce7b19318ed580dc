import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { parseKey } from "@geolookup/shared/domain/key-shape.ts";
import { SELF_SERVICE } from "@geolookup/shared/domain/operators.ts";
import { periodAt } from "@geolookup/shared/domain/period.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { KeyView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgeted } from "@geolookup/shared/runtime/observability/log-budget.ts";
import { type ErrorRequestHandler, type Request, type Response, Router } from "express";
import { readOverlap } from "../console/fields.ts";
import { sentence } from "../console/format.ts";
import { FormError, formBody, formFields } from "../console/forms.ts";
import { createRateBudget, createRateBudgets } from "../console/rate-budget.ts";
import { createBackend } from "../deployment/backend.ts";
import type { DeploymentInfo } from "../deployment/deployment-info.ts";
import type { Reads } from "../deployment/reads.ts";
import { orNull, type Services } from "../deployment/services.ts";
import { type DocsPage, inDocsFrame } from "../docs/docs-page.ts";
import { scriptDirectives, securityHeaders } from "../security-headers.ts";
import { type Account, accountPage, rotatedPage, usagePage } from "./account-page.ts";

const FORM_BYTES = 4_096;
/** As for wrong tokens at the console's sign-in: beyond it, a brief refusal. A valid key doesn't use it. */
const INVALID_KEYS = { burst: 20, perSecond: 2 };
const VIEWS_OF_A_KEY = { burst: 20, perSecond: 1 };

/** The headers of the page with the form and of those that follow it. */
export function accountHeaders(): Record<string, string> {
  return {
    ...securityHeaders({ ...scriptDirectives(null), "form-action": "'self'" }),
    "Cache-Control": "no-store",
  };
}

const BRIEF_REFUSAL = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Your usage</title></head>
<body><h1>Too many requests</h1><p>Please <a href="/account">try again</a> in a moment.</p></body></html>
`;

/** Shows the usage of a key to those who have it: no account, no cookie, nothing stored. */
export function accountRoutes(options: {
  services: Services;
  deployment: () => DeploymentInfo;
  clock: Clock;
  log: Logger;
}): Router {
  const { services, deployment, clock, log } = options;
  const viewer = createBackend(services, { operator: { name: SELF_SERVICE, role: "viewer" } });
  const operator = createBackend(services, { operator: { name: SELF_SERVICE, role: "operator" } });
  const refusals = createRateBudget(INVALID_KEYS, clock);
  const views = createRateBudgets(VIEWS_OF_A_KEY, clock);
  const router = Router({ caseSensitive: true, strict: true });

  const send = (res: Response, page: DocsPage, status = 200) =>
    void res.status(status).type("html").send(inDocsFrame(page, deployment()));
  const refuse = (res: Response, status: number, problem: string) => {
    if (refusals.take()) return send(res, accountPage(deployment(), problem), status);
    res.status(429).set("Retry-After", "1").type("html").send(BRIEF_REFUSAL);
  };

  /** The key of a form; null after a refusal. */
  const readKey = async (req: Request, res: Response): Promise<KeyView | null> => {
    const text = formFields(req)("key").trim();
    const kind = parseKey(text)?.kind;
    if (kind === undefined) refuse(res, 400, NO_KEY);
    else if (kind === "publishable") refuse(res, 400, PUBLISHABLE);
    else
      try {
        const key = await viewer.getKey(text);
        if (views(key.keyId).take()) return key;
        res.status(429).set("Retry-After", "1").type("html").send(BRIEF_REFUSAL);
      } catch (error) {
        if (!(error instanceof ServiceError && error.code === "not_found")) throw error;
        refuse(res, 403, NOT_ISSUED);
      }
    return null;
  };
  const accountOf = async (key: KeyView): Promise<Account> => {
    const nowMs = clock();
    const [used, own] = await Promise.all([
      orNull(usedOf(viewer, key, nowMs)),
      orNull(viewer.usage(key.keyId, periodAt(nowMs).month)),
    ]);
    const mayRotate = deployment().site.selfService === "rotate" && key.status === "active" && !key.rotatedTo;
    return { key, used, refusals: own?.refusals ?? null, mayRotate, nowMs };
  };

  router.post(["/account", "/account/rotate"], (_req, res, next) => {
    res.set(accountHeaders());
    next();
  });
  router.post("/account", formBody(FORM_BYTES), async (req: Request, res: Response) => {
    const key = await readKey(req, res);
    if (key) send(res, usagePage(await accountOf(key)));
  });
  router.post("/account/rotate", formBody(FORM_BYTES), async (req: Request, res: Response) => {
    const key = await readKey(req, res);
    if (!key) return;
    const account = await accountOf(key);
    if (!account.mayRotate) return send(res, usagePage(account, "This key can't be rotated here."), 403);
    const overlapSeconds = readOverlap(formFields(req)("overlap"));
    try {
      const { secret, key: successor } = await operator.rotateKey(key.keyId, overlapSeconds, key.version);
      const overlapEndMs = Date.parse(successor.createdAt) + overlapSeconds * 1_000;
      const endsMs = Math.min(overlapEndMs, key.expiresAt === undefined ? overlapEndMs : Date.parse(key.expiresAt));
      send(res, rotatedPage(secret, { ...key, endsAt: new Date(endsMs).toISOString() }, overlapSeconds === 0));
    } catch (error) {
      if (!(error instanceof ServiceError) || !REFUSALS.has(error.code)) throw error;
      send(res, usagePage(account, sentence(error.message)), 409);
    }
  });
  const onError: ErrorRequestHandler = (error: unknown, _req, res, next) => {
    if (error instanceof ServiceError) {
      budgeted(log).warn({ problem: error.message }, "customer's page failed");
      return send(res, accountPage(deployment(), "The service isn't responding. Please try again in a moment."), 503);
    }
    const { status = 500 } = error as { status?: number };
    if (status < 400 || status >= 500) return next(error);
    // The unread rest of the body must not be parsed as the next request.
    res.set("Connection", "close");
    send(
      res,
      accountPage(deployment(), error instanceof FormError ? error.message : "The request is invalid."),
      status,
    );
  };
  router.use(onError);
  return router;
}

const NO_KEY = "That isn't a secret key. Paste the whole key: it starts with geo_sk_.";
const PUBLISHABLE =
  "This is a publishable key. Anyone can read it in your web page, so its usage isn't shown here. Paste a secret key, which starts with geo_sk_.";
const NOT_ISSUED = "This key doesn't exist. Check that you copied all of it.";

const REFUSALS: ReadonlySet<string> = new Set(["conflict", "precondition"]);

/** The requests that count toward a key's quota. */
async function usedOf(backend: Reads, { keyId, quota }: KeyView, nowMs: number) {
  const { month, day } = periodAt(nowMs);
  const { total, days } =
    quota === undefined || quota.id === keyId
      ? await backend.usage(keyId, month)
      : await backend.quotaUsage(quota.id, month);
  return { month: total, today: days.find((each) => each.day === day)?.requests ?? 0 };
}
