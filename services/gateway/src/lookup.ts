import type { IncomingMessage } from "node:http";
import type { Authorization, Authorizer, Grant } from "@geolookup/shared/domain/authorize.ts";
import type { KeySlot, Problem } from "@geolookup/shared/domain/errors.ts";
import { displayKey, MAX_KEY_LENGTH, parseKey } from "@geolookup/shared/domain/key-shape.ts";
import type { Locator } from "@geolookup/shared/domain/locate.ts";
import type { GatewayMetrics } from "./metrics.ts";
import { type Exchange, isOver } from "./request/exchange.ts";
import { readKeySlots, type SuppliedKey } from "./request/key-slots.ts";
import { answerText, isPartial, requestedFields } from "./request/requested-fields.ts";
import { sendRecord } from "./request/responses.ts";
import { hourlyRoom, limitedRoom, monthlyRoom, type RoomParts } from "./room.ts";

/** What a look-up needs: embedded or over the network, the same. */
export interface LookupParts extends RoomParts {
  authorizer: Authorizer;
  locator: Locator;
}

export interface LookupSettings {
  /** The caller's address, canonical. */
  addressOf: (req: IncomingMessage) => string;
  /** Whether requests without a key are served. */
  keyless: boolean;
}

/**
 * Answers `GET /v1/geo` (contract, section 4.1).
 * @param exchange is told the caller's key and plan as they become known.
 * @returns the problem to answer with, or null when the record was sent. Rejects when auth cannot be asked.
 */
export async function lookup(
  parts: LookupParts,
  settings: LookupSettings,
  metrics: GatewayMetrics,
  exchange: Exchange,
): Promise<Problem | null> {
  const { req, res } = exchange;
  const query = queryOf(req.url ?? "/");
  const ip = settings.addressOf(req);

  const caller = await identify(readKeySlots(query, req.headers), parts.authorizer, settings, req);
  if ("code" in caller) return caller;
  const { grant } = caller;
  if (grant) {
    exchange.keyId = grant.keyId;
    exchange.plan = grant.plan;
  }

  const limits = grant?.limits;
  const taking = !grant
    ? hourlyRoom(parts.hourlyLimit, ip)
    : limits
      ? limitedRoom(parts, grant, limits, ip)
      : monthlyRoom(parts.meter, grant);
  // Redis and geo are asked at the same time. Whom Redis then refuses was looked up for nothing, once: what it said is
  // remembered, and the next refusal comes at once and not as a promise.
  const locating = (!grant || limits) && taking instanceof Promise ? parts.locator.locate(ip) : null;
  const room = await taking;
  if (room.problem) {
    metrics.refused(room.problem);
    return room.problem;
  }

  try {
    const { record, reason } = await (locating ?? parts.locator.locate(ip));
    const fieldSet = grant?.fields ?? "free";
    const body = answerText(ip, record, fieldSet, requestedFields(query));
    metrics.located(reason, !isPartial(record, fieldSet));
    if (isOver(exchange)) {
      room.release();
      return null;
    }
    exchange.isCounted = true;
    await room.count();
    sendRecord(res, body, room.allowance);
    return null;
  } catch (error) {
    room.release();
    throw error;
  }
}

function queryOf(url: string): URLSearchParams | null {
  const start = url.indexOf("?");
  return start === -1 ? null : new URLSearchParams(url.slice(start + 1));
}

/** Who calls: a key's grant, nobody (null, the free tier), or a problem, in the contract's order of precedence. */
async function identify(
  supplied: SuppliedKey,
  authorizer: Authorizer,
  settings: LookupSettings,
  req: IncomingMessage,
): Promise<Problem | { grant: Grant | null }> {
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
      if (parseKey(key) === null) return { code: "malformed_key", slot, reason: "shape" };
      const { origin = null, referer = null } = req.headers;
      const verdict = await authorizer.authorize({ key, origin, referer });
      return verdict.outcome === "granted" ? { grant: verdict.grant } : refusal(verdict, slot, key, origin);
    }
  }
}

function refusal(
  verdict: Exclude<Authorization, { outcome: "granted" }>,
  slot: KeySlot,
  key: string,
  origin: string | null,
): Problem {
  switch (verdict.outcome) {
    case "malformed_key":
      return { code: "malformed_key", slot, reason: "shape" };
    case "origin_not_allowed": {
      const { refusedOrigin, grant } = verdict;
      const sentAs = origin !== null ? "origin" : refusedOrigin !== null ? "referer" : "none";
      return { code: "origin_not_allowed", refusedOrigin, sentAs, display: grant.display, kind: grant.kind };
    }
    default:
      return { code: verdict.outcome, slot, display: displayKey(key) };
  }
}
