import { type Authorization, type Authorizer, endOf, type Grant } from "@geolookup/shared/domain/authorize.ts";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { KeySlot, Problem } from "@geolookup/shared/domain/errors.ts";
import { displayKey, MAX_KEY_LENGTH } from "@geolookup/shared/domain/key-shape.ts";
import type { Locator } from "@geolookup/shared/domain/locate.ts";
import type { Caller } from "@geolookup/shared/runtime/http/client-address.ts";
import { createTurnBatch } from "./connections/turn-batch.ts";
import {
  checkHourlyLimit,
  checkMonthlyQuota,
  checkPlanLimits,
  type LimitParts,
  whenKnown,
} from "./limits/check-limits.ts";
import type { GatewayMetrics } from "./metrics.ts";
import { type Exchange, isOver, type RequestHead } from "./request/exchange.ts";
import { forwardedVisitor } from "./request/forwarded-visitor.ts";
import { readKeySlots, type SuppliedKey } from "./request/key-slots.ts";
import { fieldsNotice, ignoredParts } from "./request/notice.ts";
import { queryOf, requestedFields } from "./request/query.ts";
import { recordBody, sendRecord } from "./responses/record-response.ts";

/** What a lookup needs, whether embedded or over the network. */
export interface LookupParts extends LimitParts {
  authorizer: Authorizer;
  locator: Locator;
}

export interface LookupSettings {
  /** The caller of a request, by TRUST_PROXY. */
  callerOf: (req: RequestHead) => Caller;
  /** Whether keyless requests are served. */
  keyless: boolean;
  /** Whether responses have `X-Geolookup-Accuracy`: the accuracy of the location and the age of its data. Default: false. */
  accuracyHeader?: boolean;
}

/**
 * Responses are sent together at the end of a turn of the event loop. If they were sent one by one, between other work, the
 * reader would have to be woken for each, which costs as much as sending when it is on the same machine. Counts are
 * batched by the journal.
 */
const responses = createTurnBatch();

/**
 * Serves `GET /v1/geo` (contract, section 4.1).
 * @param exchange gets the caller's key and plan as they become known.
 * @returns the problem to respond with; null if the record was sent. Rejects if auth is unavailable.
 */
export async function lookup(
  parts: LookupParts & { clock: Clock },
  settings: LookupSettings,
  metrics: GatewayMetrics,
  exchange: Exchange,
): Promise<Problem | null> {
  const { req, res } = exchange;
  const query = queryOf(req.url ?? "/");
  const caller = settings.callerOf(req);

  const supplied = readKeySlots(query, req.headers);
  const identifying = identify(supplied, parts, settings, exchange);
  const identified = identifying instanceof Promise ? await identifying : identifying;
  if ("code" in identified) {
    exchange.notice = ignoredParts(req, caller, supplied, null, null);
    return identified;
  }
  const { grant } = identified;
  if (grant) exchange.plan = grant.plan;
  const visitor = grant?.mayForward ? forwardedVisitor(caller, req) : null;
  const ip = visitor?.address ?? caller.address;
  exchange.notice = ignoredParts(req, caller, supplied, grant, visitor);

  const limits = grant?.limits;
  const checking = !grant
    ? checkHourlyLimit(parts.hourlyLimit, ip)
    : limits
      ? checkPlanLimits(parts, grant, limits, ip)
      : checkMonthlyQuota(parts.meter, grant);
  // Redis and geo are asked in parallel. If Redis refuses, one lookup was unnecessary; later refusals are synchronous.
  const locating = (!grant || limits) && checking instanceof Promise ? parts.locator.locate(ip) : null;
  const reserved = checking instanceof Promise ? await checking : checking;
  if (reserved.problem) {
    metrics.refused(reserved.problem);
    return reserved.problem;
  }

  try {
    const located = locating ?? parts.locator.locate(ip);
    const { record, reason } = located instanceof Promise ? await located : located;
    const fields = grant?.fields ?? "free";
    const requested = requestedFields(query);
    const body = recordBody(ip, record, fields, requested);
    if (requested) exchange.notice = fieldsNotice(requested, fields, grant?.plan, exchange.notice);
    metrics.located(reason, !body.isPartial);
    if (isOver(exchange)) {
      reserved.release();
      return null;
    }
    exchange.isCounted = true;
    await (reserved.count() ?? responses.join());
    sendRecord(res, body, reserved.allowance, {
      notice: exchange.notice,
      accuracy: settings.accuracyHeader ? record.accuracy : "",
      variesByForwardedFor: caller.isTrusted || visitor !== null,
    });
    return null;
  } catch (error) {
    reserved.release();
    throw error;
  }
}

type Identified = Problem | { grant: Grant | null };

/** Identifies the caller: a key's grant, null (keyless), or a problem, in the contract's order of precedence. */
function identify(
  supplied: SuppliedKey,
  { authorizer, clock }: { authorizer: Authorizer; clock: Clock },
  settings: LookupSettings,
  exchange: Exchange,
): Identified | Promise<Identified> {
  const { headers } = exchange.req;
  switch (supplied.kind) {
    case "none":
      return settings.keyless ? { grant: null } : { code: "missing_key", reason: "keyless_off" };
    case "empty":
      return { code: "missing_key", reason: "empty_slot", slot: supplied.slot, servesKeyless: settings.keyless };
    case "given_twice":
      return { code: "malformed_key", slot: "query", reason: "given_twice" };
    case "key": {
      const { key, slot } = supplied;
      if (key.length > MAX_KEY_LENGTH) return { code: "malformed_key", slot, reason: "too_long" };
      const origin = decodeHeader(headers.origin);
      const referer = decodeHeader(headers.referer);
      return whenKnown(authorizer.authorize({ key, origin, referer }), (authorization) => {
        const grant = "grant" in authorization ? authorization.grant : undefined;
        if (grant) exchange.keyId = grant.keyId;
        else if (authorization.outcome === "revoked_key") exchange.keyId = authorization.keyId ?? null;
        const end = grant && endOf(grant, clock);
        if (end) return { code: "unknown_key", slot, display: displayKey(key), end };
        return authorization.outcome === "granted"
          ? { grant: authorization.grant }
          : refusal(authorization, slot, key, origin);
      });
    }
  }
}

/** @returns the text of a header in UTF-8; Node reads headers as Latin-1. Null if there is none. */
function decodeHeader(value: string | undefined): string | null {
  if (value === undefined) return null;
  return /[\x80-\xff]/.test(value) ? Buffer.from(value, "latin1").toString("utf8") : value;
}

function refusal(
  authorization: Exclude<Authorization, { outcome: "granted" }>,
  slot: KeySlot,
  key: string,
  origin: string | null,
): Problem {
  switch (authorization.outcome) {
    case "malformed_key":
      return { code: "malformed_key", slot, reason: "shape" };
    case "origin_not_allowed": {
      const { refusedOrigin, grant } = authorization;
      const sentAs = origin !== null ? "origin" : refusedOrigin !== null ? "referer" : "none";
      return { code: "origin_not_allowed", refusedOrigin, sentAs, display: grant.display, kind: grant.kind };
    }
    case "unknown_key":
      return {
        code: "unknown_key",
        slot,
        display: displayKey(key),
        ...(authorization.end && { end: authorization.end }),
      };
    default:
      return { code: authorization.outcome, slot, display: displayKey(key) };
  }
}
