import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgeted } from "@geolookup/shared/runtime/observability/log-budget.ts";
import { type ErrorRequestHandler, json, type Request, type RequestHandler, type Response, Router } from "express";
import { z } from "zod";
import { createRateBudget, createRateBudgets, type RateBudget } from "../console/rate-budget.ts";
import { createBackend } from "../deployment/backend.ts";
import type { Services } from "../deployment/services.ts";
import { API_ERRORS, ApiError, apiErrorOf } from "./errors.ts";
import { type IdempotencyStore, once } from "./idempotency.ts";
import { KEY_OPERATIONS } from "./key-operations.ts";
import { adminApiDocument } from "./openapi.ts";
import type { ApiRequest, Operation } from "./operation.ts";
import { CUSTOMER_OPERATIONS, OTHER_OPERATIONS } from "./other-operations.ts";

export const API_PATH = "/admin/v1";
export const OPERATIONS: readonly Operation[] = [...KEY_OPERATIONS, ...CUSTOMER_OPERATIONS, ...OTHER_OPERATIONS];

/** Gateways have the same limit for bodies. */
const MAX_BODY_BYTES = 65_536;
/** Requests of one operator to one portal. */
const OPERATOR_LIMIT = { burst: 100, perSecond: 20 };
/** Refused tokens that get a full response and a log line. */
const REFUSAL_LIMIT = { burst: 20, perSecond: 2 };

const HEADERS = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
};
/** RFC 6750, section 2.1. */
const BEARER = /^Bearer +([\w.~+/-]{1,512}=*)$/i;
const KEY = /geo_[ps]k_[0-9A-Za-z]{26}/;
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** The HTTP API for operators, below `/admin/v1`. Auth decides what a token may do. */
export function adminApiRouter(options: {
  services: Services;
  store: IdempotencyStore;
  docsUrl: () => string | null;
  clock: Clock;
  log: Logger;
}): Router {
  const { services, clock, log } = options;
  const limits = createRateBudgets(OPERATOR_LIMIT, clock);
  const refusals = createRateBudget(REFUSAL_LIMIT, clock);
  const router = Router({ caseSensitive: true, strict: true });
  router.use((_req, res, next) => {
    res.set(HEADERS);
    next();
  });
  router.get("/openapi.json", (_req, res) => void res.json(adminApiDocument(OPERATIONS, options.docsUrl())));
  router.use(signIn(services, { limits, refusals, log }));
  router.use(json({ limit: MAX_BODY_BYTES, inflate: false, type: () => true }));
  for (const operation of OPERATIONS)
    router[operation.method](operation.path.replace(/\{\w+\}/, ":id"), async (req: Request, res: Response) => {
      const [id, query] = [String(req.params.id ?? ""), queryOf(req.url)];
      // A key is a secret: POST /keys/find has it in the body, which isn't logged by proxies.
      if ([id, ...Object.values(query)].some((text) => KEY.test(text)))
        throw new ApiError("invalid_request", `Don't send a key in a URL. Find it with POST ${API_PATH}/keys/find.`);
      const request: ApiRequest = {
        id,
        query: read(operation.query, query, "query"),
        body: read(operation.body, req.body ?? {}, "body"),
        backend: createBackend({ ...services, usage: asPortal(services.usage) }, { token: res.locals.token }),
        nowMs: clock(),
        prepared: null,
      };
      const key = operation.method === "get" ? undefined : req.get("idempotency-key");
      const result = key === undefined ? await operation.run(request) : await runOnce(operation, request, key, res);
      res.status(operation.status ?? 200).json(result);
    });
  const runOnce = (operation: Operation, request: ApiRequest, key: string, res: Response) => {
    if (!IDEMPOTENCY_KEY.test(key))
      throw new ApiError("invalid_request", "The Idempotency-Key must have 1 to 255 visible ASCII characters.");
    return once(options.store, request.nowMs, {
      operator: res.locals.operator,
      key,
      request: JSON.stringify([operation.id, request.id, request.body]),
      secret: operation.secret,
      prepare: async () => ((await operation.once?.prepare(request)) ?? null) as Record<string, unknown> | null,
      run: async (prepared) => ({ ...(await operation.run({ ...request, prepared })) }),
      recover: async (prepared) =>
        ((await operation.once?.recover({ ...request, prepared })) ?? null) as Record<string, unknown> | null,
    });
  };
  for (const [path, operations] of Map.groupBy(OPERATIONS, ({ path }) => path))
    router.all(path.replace(/\{\w+\}/, ":id"), () => {
      const allowed = operations.map(({ method }) => method.toUpperCase()).join(", ");
      throw new ApiError("method_not_allowed", `This path supports ${allowed}.`, { Allow: allowed });
    });
  router.use(() => {
    throw new ApiError("not_found", `This path doesn't exist. ${API_PATH}/openapi.json lists all of them.`);
  });
  router.use(sendError(options));
  return router;
}

/** Lets operators pass, within their limit. */
function signIn(
  services: Services,
  options: { limits: (name: string) => RateBudget; refusals: RateBudget; log: Logger },
): RequestHandler {
  const { limits, refusals, log } = options;
  return async (req, res, next) => {
    const [, token] = BEARER.exec(req.get("authorization") ?? "") ?? [];
    const operator = token === undefined ? null : await whoIs(services, token);
    if (operator === null) {
      if (!refusals.take()) throw tooMany("There were too many requests with invalid tokens.");
      budgeted(log).warn({}, "admin API request without a valid token");
      const message = `Send an operator's token: Authorization: Bearer <token>. ${token === undefined ? "There is none in this request." : "The one in this request is invalid, has expired or was replaced."}`;
      throw new ApiError("invalid_token", message, { "WWW-Authenticate": "Bearer" });
    }
    if (!limits(operator).take())
      throw tooMany(
        `Operators can send ${OPERATOR_LIMIT.perSecond} requests a second, and ${OPERATOR_LIMIT.burst} at once.`,
      );
    Object.assign(res.locals, { token, operator });
    next();
  };
}

/** The name of the token's operator; null if the token is refused. */
async function whoIs(services: Services, token: string): Promise<string | null> {
  try {
    return (await createBackend(services, { token }).whoAmI()).name;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "unauthenticated") return null;
    throw error;
  }
}

function tooMany(message: string): ApiError {
  return new ApiError("rate_limited", `${message} Try again in a second.`, { "Retry-After": "1" });
}

/** That a service refuses the portal's own token isn't the caller's fault. */
function asPortal(call: Services["usage"]): Services["usage"] {
  return (...request) =>
    call(...request).catch((error: unknown) => {
      const isOwn = error instanceof ServiceError && error.code === "unauthenticated";
      throw isOwn ? new ServiceError("internal", error.message, { cause: error }) : error;
    });
}

function queryOf(url: string): Record<string, string> {
  const query = new URLSearchParams(url.split("?")[1] ?? "");
  if (new Set(query.keys()).size !== query.size)
    throw new ApiError("invalid_request", "A query parameter was sent twice.");
  return Object.fromEntries(query);
}

/** @throws ApiError that names every problem. */
function read(schema: z.ZodObject = z.strictObject({}), value: unknown, place: string): unknown {
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return data;
  const problems = error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join(".")}: ${message}`,
  );
  throw new ApiError("invalid_request", `The ${place} is invalid. ${problems.join("; ")}.`.slice(0, 1_000));
}

function sendError({ docsUrl, log }: { docsUrl: () => string | null; log: Logger }): ErrorRequestHandler {
  return (thrown: unknown, _req, res, next) => {
    if (res.headersSent) return next(thrown);
    const { code, message, headers } = apiErrorOf(thrown);
    if (code === "internal_error") budgeted(log).error({ err: thrown }, "admin API request failed");
    if (code === "unavailable")
      budgeted(log).warn({ problem: (thrown as Error).message }, "admin API request failed: a service is unavailable");
    // The unread rest of a body must not be parsed as the next request.
    if (code === "too_large") res.set("Connection", "close");
    const docs = `${docsUrl() ?? ""}/console/guides/admin-api#${code}`;
    res.status(API_ERRORS[code]).set(headers).json({ error: { code, message, docs } });
  };
}
