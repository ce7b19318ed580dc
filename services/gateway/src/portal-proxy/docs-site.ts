import type { IncomingMessage } from "node:http";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { CHANGE_DEADLINE_MS } from "@geolookup/shared/runtime/grpc/limits.ts";
import type { Caller } from "@geolookup/shared/runtime/http/client-address.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgeted } from "@geolookup/shared/runtime/observability/log-budget.ts";
import type { InternalTls } from "@geolookup/shared/runtime/tls/internal-tls.ts";
import type { Registry } from "@prometheus-io/client";
import { isOver, type NodeExchange } from "../request/exchange.ts";
import { createDocsMetrics, type RefusalReason } from "./docs-metrics.ts";
import { createFormReader, FormError, hasBody } from "./form-reader.ts";
import { createOperatorHeaders } from "./operator-headers.ts";
import { createPortalProxy, type Forwarding } from "./portal-proxy.ts";
import { createRefusals } from "./refusals.ts";
import { createSemaphore, type Holder, type Semaphore } from "./semaphore.ts";
import { createSuspects, type FormOutcome, formOutcome } from "./suspects.ts";

/** Forms have separate permits, so that a flood of page requests can't keep an operator from signing in. */
export const MAX_PAGES = 80;
export const MAX_FORMS = 20;
const MAX_WAITING = 400;
/** Live updates and exports of signed-in operators. */
const MAX_STREAMS = 20;
const FORM_LIMITS = { maxForms: 256, maxBytes: 65_536, timeoutMs: 5_000 };
/** Covers the wait for a permit, the portal's work and the response's first byte. */
const FIRST_BYTE_TIMEOUT_MS = 5_000;
/** How often that is checked. */
const FIRST_BYTE_CHECKS = 10;
/** The same for forms, which can change keys. */
const FORM_FIRST_BYTE_TIMEOUT_MS = CHANGE_DEADLINE_MS + FIRST_BYTE_TIMEOUT_MS;
/** For a whole page, however slowly it is read. */
const PAGE_TIMEOUT_MS = 30_000;
/** The portal opens these only for signed-in operators. The gateway itself can't recognize them. */
const STREAM_TYPE = /^(?:text\/(?:event-stream|csv)|application\/x-ndjson)\b/;

/** The docs host: everything on it comes from the portal, within limits that are separate from the API's. */
export interface DocsSite {
  /** Responds to a request for the docs host, and resolves once the response is written. Never rejects. */
  serve(exchange: NodeExchange): Promise<void>;
}

/**
 * @param settings.fail responds to a request that failed with an unexpected error.
 */
export function createDocsSite(
  settings: {
    portalUrl: string;
    portalTls?: InternalTls | null;
    docsUrl: () => string;
    callerOf: (req: IncomingMessage) => Caller;
    operatorHeader?: { name: string; from: string } | undefined;
    fail: (exchange: NodeExchange, error: unknown) => void;
  },
  context: { log: Logger; registry: Registry; clock: Clock },
): DocsSite {
  const { log, registry, clock } = context;
  const pages = createSemaphore({ limit: MAX_PAGES, maxWaiting: MAX_WAITING });
  const forms = createSemaphore({ limit: MAX_FORMS, maxWaiting: MAX_WAITING });
  const streams = new Set<NodeExchange>();
  const reader = createFormReader(FORM_LIMITS);
  const suspects = createSuspects();
  const operatorHeaders = createOperatorHeaders(settings.operatorHeader, log);
  const proxy = createPortalProxy({ ...settings, operatorHeaders }, MAX_PAGES + MAX_FORMS + MAX_STREAMS);
  const metrics = createDocsMetrics(registry, {
    ...{ pages, forms, reading: { limit: FORM_LIMITS.maxForms, inUse: reader.inUse } },
    streams: { limit: MAX_STREAMS, inUse: () => streams.size },
  });
  const refusals = createRefusals({ docsUrl: settings.docsUrl, clock, log, refused: metrics.refused });

  /** Forwards a request once it has a permit, which it releases when the portal has nothing more to send. */
  const forward = (exchange: NodeExchange, body: Buffer | null, permits: Semaphore, yields: boolean) => {
    const { req, res } = exchange;
    let hasGivenUp = false;
    const timeoutMs = permits === forms ? FORM_FIRST_BYTE_TIMEOUT_MS : FIRST_BYTE_TIMEOUT_MS;
    let timer = setWorkingTimeout(() => giveUp("timeout"), timeoutMs);
    const release = () => {
      clearTimeout(timer);
      permits.release(holder);
    };
    const giveUp = (reason: RefusalReason, mayDelay = true) => {
      hasGivenUp = true;
      release();
      proxy.cancel(forwarding);
      if (!res.headersSent) refusals.refuse(exchange, reason, mayDelay);
    };
    const forwarding: Forwarding = {
      ...{ req, res, body },
      onResponse(portalRes) {
        clearTimeout(timer);
        if (permits === forms) noteForm(req, formOutcome(portalRes, req.url));
        if (!STREAM_TYPE.test(portalRes.headers["content-type"] ?? "")) {
          timer = setTimeout(() => res.destroy(), PAGE_TIMEOUT_MS);
          portalRes.once("close", release);
          return;
        }
        if (streams.size >= MAX_STREAMS) return giveUp("full", false);
        if (req.socket.readableEnded) return void res.destroy();
        permits.release(holder);
        streams.add(exchange);
        res.once("close", () => streams.delete(exchange));
      },
      onFailure(error) {
        // Canceled requests fail too.
        if (hasGivenUp) return;
        budgeted(log).error({ err: error }, "portal request failed");
        if (res.headersSent) res.destroy();
        giveUp("unavailable");
      },
    };
    const holder: Holder = {
      yields,
      onAcquired: () => proxy.forward(forwarding),
      onRefused: () => giveUp("full"),
    };
    // The API lets clients close their side of a connection first. Here that releases the permit: clients that leave do the same.
    const onClientEnd = () => res.destroy();
    req.socket.once("end", onClientEnd);
    res.once("close", () => {
      req.socket.off("end", onClientEnd);
      release();
    });
    permits.acquire(holder);
  };
  const noteForm = (req: IncomingMessage, outcome: FormOutcome) => {
    const ip = settings.callerOf(req).address;
    if (outcome === "refused") suspects.noteRefused(ip);
    else if (outcome === "accepted") suspects.noteAccepted(ip);
  };
  const respond = async (exchange: NodeExchange) => {
    const { req } = exchange;
    const isPage = req.method === "GET" || req.method === "HEAD";
    if (isOver(exchange)) return;
    try {
      const body = hasBody(req) ? await reader.read(req) : null;
      if (isOver(exchange)) return;
      const yields = !isPage && suspects.has(settings.callerOf(req).address);
      forward(exchange, body, isPage ? pages : forms, yields);
    } catch (error) {
      if (!(error instanceof FormError)) return settings.fail(exchange, error);
      if (error.problem !== "aborted")
        refusals.refuse(exchange, error.problem === "displaced" ? "full" : error.problem);
    }
  };
  return {
    async serve(exchange) {
      const written = new Promise((resolve) => exchange.res.once("prefinish", resolve).once("close", resolve));
      // One at a time per connection: a response that can't be sent yet must not hold a permit.
      await respond(exchange);
      await written;
    },
  };
}

/**
 * Like `setTimeout`, but counts checks instead of time. While the process is paused, or busy for seconds with one page of a standalone's
 * portal on a slow machine, the response can't be read: that counts as one check.
 */
function setWorkingTimeout(run: () => void, timeoutMs: number): NodeJS.Timeout {
  let checks = 0;
  const timer = setInterval(() => {
    checks += 1;
    if (checks < FIRST_BYTE_CHECKS) return;
    clearInterval(timer);
    run();
  }, timeoutMs / FIRST_BYTE_CHECKS);
  return timer;
}
