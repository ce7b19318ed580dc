import { randomBytes } from "node:crypto";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { ServiceError, type ServiceErrorCode } from "@geolookup/shared/domain/service-error.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgeted } from "@geolookup/shared/runtime/observability/log-budget.ts";
import type { InternalTls } from "@geolookup/shared/runtime/tls/internal-tls.ts";
import { Counter, type Registry } from "@prometheus-io/client";
import { type ErrorRequestHandler, Router } from "express";
import { createBackend } from "../deployment/backend.ts";
import type { DeploymentInfo } from "../deployment/deployment-info.ts";
import { connectServices, orNull } from "../deployment/services.ts";
import { currentRole, requestChecks, requireSession } from "./access.ts";
import { addressRoutes } from "./address-routes.ts";
import { assetRoutes } from "./assets.ts";
import { auditRoutes } from "./audit-routes.ts";
import { createClusterView } from "./cluster.ts";
import type { ConsoleContext } from "./context.ts";
import { createCookies } from "./cookies.ts";
import { customerRoutes } from "./customer-routes.ts";
import { dataRoutes } from "./data-routes.ts";
import { createEntrance } from "./entrance.ts";
import { sentence } from "./format.ts";
import { FormError } from "./forms.ts";
import { sendNotice } from "./frame.ts";
import { guideRoutes } from "./guide-routes.ts";
import { keyIssueRoutes } from "./key-issue-routes.ts";
import { keyListRoutes } from "./key-list-routes.ts";
import { keyRoutes } from "./key-routes.ts";
import { liveRoutes } from "./live-routes.ts";
import { createOpenIdConnect } from "./oidc.ts";
import { oidcRoutes } from "./oidc-routes.ts";
import { operatorRoutes } from "./operator-routes.ts";
import { overviewRoutes } from "./overview-routes.ts";
import { planRoutes } from "./plan-routes.ts";
import { createProxySignIn } from "./proxy-sign-in.ts";
import { createRateBudget } from "./rate-budget.ts";
import { selectionRoutes } from "./selection-routes.ts";
import { createSessions } from "./sessions.ts";
import type { ConsoleSettings } from "./settings.ts";
import { signInRoutes } from "./sign-in.ts";
import { createStreams } from "./streams.ts";

/** Those that get a full page and a log line. */
const WRONG_TOKENS = { burst: 20, perSecond: 2 };

/** The operator console, served under one path of the docs site. */
export interface Console {
  router: Router;
  /** Ends live updates. Pages keep working. */
  endStreams(): void;
  /** Closes the connections to auth and usage. */
  [Symbol.dispose](): void;
}

/**
 * Opens the console. Auth and usage needn't be available.
 * @param options.tls for connections to auth, usage and geo. Default: they have no TLS.
 */
export function openConsole(options: {
  settings: ConsoleSettings;
  deployment: () => DeploymentInfo;
  clock: Clock;
  log: Logger;
  registry: Registry;
  tls?: InternalTls | null;
}): Console {
  const { settings, deployment, clock, log, registry, tls = null } = options;
  const services = connectServices(settings, tls);
  const backend = createBackend(services);
  const sessions = createSessions({ adminToken: settings.adminToken, clock, randomBytes });
  const isSecure = () => deployment().docsUrl?.startsWith("https:") ?? false;
  const cookies = createCookies(isSecure);
  const { opsTargets } = settings;
  const hasClusterPage = !opsTargets?.every(({ service }) => service === "standalone");
  const { proxy, oidc: issuer } = settings.signIn;
  const issuerHost = issuer && new URL(issuer.issuer).host;
  const oidc = issuer && createOpenIdConnect(issuer, clock);
  const context: ConsoleContext = { deployment, backend, sessions, cookies, hasClusterPage, issuerHost, clock, log };
  const signIns = new Counter({
    name: "geolookup_console_sign_ins_total",
    help: "Sign-in attempts at the operator console, by outcome.",
    labelNames: ["outcome"],
    registers: [registry],
  });
  for (const outcome of ["signed_in", "refused", "held_back"]) signIns.inc({ outcome }, 0);

  const streams = createStreams({
    sessions,
    // While auth is unavailable, nobody can be removed.
    isOperator: async ({ operator }) =>
      (await orNull(currentRole(backend, operator).then((role) => role !== null))) ?? true,
    log,
  });
  const entrance = createEntrance(context, { backend, signIns, onEnd: streams.endOf });
  const clusterView = opsTargets && createClusterView(opsTargets, clock);

  const router = Router({ caseSensitive: true, strict: true });
  router.use(assetRoutes());
  const operatorByProxy = createProxySignIn(proxy, log);
  router.use(requestChecks(context, { backend, entrance, operatorByProxy, oidcVersion: oidc?.version ?? null }));
  router.use(signInRoutes(context, { backend, entrance, failures: createRateBudget(WRONG_TOKENS, clock), signIns }));
  if (oidc) {
    const pending = createCookies(isSecure, "sign-in");
    router.use(oidcRoutes(context, { oidc, pending, entrance, backend }));
  }
  router.use(requireSession);
  router.use(overviewRoutes(context, { streams, clusterView }));
  router.use(keyListRoutes(context));
  router.use(selectionRoutes(context));
  router.use(keyIssueRoutes(context));
  router.use(customerRoutes(context));
  router.use(operatorRoutes(context));
  router.use(auditRoutes(context, streams));
  router.use(planRoutes(context));
  router.use(dataRoutes(context, { streams, commands: settings.dataCommands }));
  router.use(addressRoutes(context, settings.trustProxy));
  router.use(guideRoutes());
  router.use(liveRoutes(context, { streams, clusterView }));
  router.use(keyRoutes(context, { streams }));
  router.use((_req, res) => sendNotice(res, context, { status: 404, ...NO_PAGE }));
  router.use(errorNotices(context));
  return { router, endStreams: streams.endAll, [Symbol.dispose]: () => services[Symbol.dispose]() };
}

const NO_PAGE = {
  title: "Page not found",
  text: "This page doesn't exist. If the link was to a key, this deployment never issued it.",
};

/** HTTP statuses of service errors. */
const STATUS_OF: Readonly<Record<ServiceErrorCode, number>> = {
  invalid: 400,
  unauthenticated: 502,
  forbidden: 403,
  not_found: 404,
  precondition: 409,
  conflict: 409,
  unavailable: 503,
  internal: 502,
};

/** Shows errors of auth, usage and forms. Other errors are left to the docs site, which logs them. */
function errorNotices(context: ConsoleContext): ErrorRequestHandler {
  return (error: unknown, _req, res, next) => {
    if (res.headersSent) return next(error);
    if (error instanceof ServiceError) {
      const status = STATUS_OF[error.code];
      if (status >= 500) budgeted(context.log).warn({ problem: error.message }, "console page failed");
      return sendNotice(res, context, { status, title: "Request failed", text: explanation(error) });
    }
    const { status = 500 } = error as { status?: number };
    if (status < 400 || status >= 500) return next(error);
    // The unread rest of the body must not be parsed as the next request.
    res.set("Connection", "close");
    const text = error instanceof FormError ? error.message : "The request is invalid or too large.";
    sendNotice(res, context, { status, title: "Request refused", text });
  };
}

function explanation({ code, message }: ServiceError): string {
  switch (code) {
    case "unauthenticated":
      return "Auth or usage rejected the portal's admin token. Set the same ADMIN_TOKEN for all services.";
    case "unavailable":
      return "Auth, usage or geo is not responding. If you were making a change, check whether it was saved before you try again.";
    default:
      return sentence(message);
  }
}
