import { randomBytes } from "node:crypto";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { ServiceError, type ServiceErrorCode } from "@geolookup/shared/domain/service-error.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgeted } from "@geolookup/shared/runtime/observability/log-budget.ts";
import { type ErrorRequestHandler, Router } from "express";
import { Counter, type Registry } from "prom-client";
import type { Site } from "../site.ts";
import { forEveryone, requireSession } from "./access.ts";
import { assetRoutes } from "./assets.ts";
import { connectBackend } from "./backend.ts";
import type { ConsoleContext } from "./context.ts";
import { createCookies } from "./cookies.ts";
import { createFailureBudget } from "./failure-budget.ts";
import { sentence } from "./format.ts";
import { FormError } from "./forms.ts";
import { sendNotice } from "./frame.ts";
import { keyIssueRoutes } from "./key-issue-routes.ts";
import { keyListRoutes } from "./key-list-routes.ts";
import { keyRoutes } from "./key-routes.ts";
import { liveRoutes } from "./live-routes.ts";
import { createSessions } from "./sessions.ts";
import type { ConsoleSettings } from "./settings.ts";
import { signInRoutes } from "./sign-in.ts";
import { createStreams } from "./streams.ts";

/** The operator console, under one path of the docs site. */
export interface Console {
  router: Router;
  /** Ends what is live; pages go on. */
  endStreams(): void;
  /** Ends the connections to auth and usage. */
  close(): void;
}

/** Opens the console over auth and usage, which may come and go. */
export function openConsole(options: {
  settings: ConsoleSettings;
  site: () => Site;
  clock: Clock;
  log: Logger;
  registry: Registry;
}): Console {
  const { settings, site, clock, log, registry } = options;
  const backend = connectBackend(settings);
  const sessions = createSessions({ adminToken: settings.adminToken, clock, randomBytes });
  const cookies = createCookies(() => site().docsUrl?.startsWith("https:") ?? false);
  const context: ConsoleContext = { site, backend, sessions, cookies, clock, log };
  const signIns = new Counter({
    name: "geolookup_console_sign_ins_total",
    help: "Tries to sign in to the operator console, by what came of them.",
    labelNames: ["outcome"],
    registers: [registry],
  });
  for (const outcome of ["signed_in", "refused", "held_back"]) signIns.inc({ outcome }, 0);

  const streams = createStreams({ sessions, log });

  const router = Router({ caseSensitive: true, strict: true });
  router.use(assetRoutes());
  router.use(forEveryone(context));
  router.use(signInRoutes(context, { failures: createFailureBudget(clock), signIns, onSignOut: streams.endOf }));
  router.use(requireSession);
  router.get("/", (_req, res) => res.redirect(303, "/console/keys"));
  router.use(keyListRoutes(context));
  router.use(keyIssueRoutes(context));
  router.use(liveRoutes(context, { streams, opsTargets: settings.opsTargets }));
  router.use(keyRoutes(context, streams));
  router.use((_req, res) => sendNotice(res, context, { status: 404, ...NO_PAGE }));
  router.use(errorNotices(context));
  return { router, endStreams: streams.endAll, close: () => backend.close() };
}

const NO_PAGE = { title: "There is no such page", text: "It may be a key's that was never issued here." };

/** What services refuse, in HTTP's words. */
const STATUS_OF: Readonly<Record<ServiceErrorCode, number>> = {
  invalid: 400,
  unauthenticated: 502,
  not_found: 404,
  precondition: 409,
  conflict: 409,
  unavailable: 503,
  internal: 502,
};

/** Shows what auth, usage or a form's reader says; anything else is the docs site's to answer, and to log. */
function errorNotices(context: ConsoleContext): ErrorRequestHandler {
  return (error: unknown, _req, res, next) => {
    if (res.headersSent) return next(error);
    if (error instanceof ServiceError) {
      const status = STATUS_OF[error.code];
      if (status >= 500) budgeted(context.log).warn({ problem: error.message }, "console page failed");
      return sendNotice(res, context, { status, title: "That did not work", text: explained(error) });
    }
    const { status = 500 } = error as { status?: number };
    if (status < 400 || status >= 500) return next(error);
    // What is left of a body that is not read must not be taken for the next request.
    res.set("Connection", "close");
    const text = error instanceof FormError ? error.message : "The request cannot be read.";
    sendNotice(res, context, { status, title: status === 413 ? "That is too much" : "That was refused", text });
  };
}

function explained({ code, message }: ServiceError): string {
  switch (code) {
    case "unauthenticated":
      return "auth or usage does not take the portal's admin token: ADMIN_TOKEN must be the same for all of them.";
    case "unavailable":
      return "auth or usage does not answer just now; the cluster page says how they are. If something was to be changed, it may have been: look at it before you try again.";
    default:
      return sentence(message);
  }
}
