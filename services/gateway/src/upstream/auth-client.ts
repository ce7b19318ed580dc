import type { Authorization, Authorizer, Grant, KeyCheck, KeyEnd, Quota } from "@geolookup/shared/domain/authorize.ts";
import { type KeyPosition, MAX_LIVE_AGE_MS } from "@geolookup/shared/domain/key-event.ts";
import { MAX_ORIGIN_LENGTH, refererOrigin } from "@geolookup/shared/domain/origin.ts";
import { FIELDS, type PlanFields } from "@geolookup/shared/domain/record.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { Authorization__Output as WireAuthorization } from "@geolookup/shared/generated/geolookup/auth/v1/Authorization.ts";
import type { AuthorizeResponse__Output as WireResponse } from "@geolookup/shared/generated/geolookup/auth/v1/AuthorizeResponse.ts";
import type { Check as WireCheck } from "@geolookup/shared/generated/geolookup/auth/v1/Check.ts";
import type { Grant__Output as WireGrant } from "@geolookup/shared/generated/geolookup/auth/v1/Grant.ts";
import type { KeyEnd__Output as WireEnd } from "@geolookup/shared/generated/geolookup/auth/v1/KeyEnd.ts";
import type { Quota__Output as WireQuota } from "@geolookup/shared/generated/geolookup/auth/v1/Quota.ts";
import type { SecurePeer } from "@geolookup/shared/runtime/grpc/client.ts";
import { AUTH } from "@geolookup/shared/runtime/grpc/services.ts";
import { limitsFromWire } from "@geolookup/shared/runtime/grpc/wire.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { exposeGauge } from "@geolookup/shared/runtime/observability/metrics.ts";
import type { Registry } from "@prometheus-io/client";
import type { PositionedAuthorization, PositionedAuthorizer } from "../authorization/positioned-authorizer.ts";
import { createBatcher } from "./batcher.ts";
import { createCallMetrics } from "./call-metrics.ts";
import { openNodes } from "./nodes.ts";

const DEADLINE_MS = 1_000;
/** Auth responds from memory: a node that takes this long is stopped, cut off or far behind. */
const HEDGE_AFTER_MS = 150;
const MAX_BATCH = 512;
/**
 * Milliseconds between two batches that aren't full: the longest that a check waits to be sent. A call costs auth as much as a dozen
 * checks, and anyone can send a new bad key with every request. A single check doesn't wait.
 */
export const BATCH_INTERVAL_MS = 5;

/**
 * Auth over gRPC, with batched and hedged calls. It is an Authorizer, and has the positions that the authorization cache needs.
 * @param target any gRPC target. Each of its addresses is a node.
 * @param peer what must be at each address. Default: anything, without TLS.
 * @returns methods that reject with a ServiceError if no node responds within 1 s, and immediately while all nodes are known
 *   to be down.
 */
export function connectAuth(
  target: string,
  log: Logger,
  registry: Registry,
  peer?: SecurePeer,
): Authorizer & PositionedAuthorizer & Disposable {
  const metrics = createCallMetrics(registry, "auth", () => nodes.count());
  exposeGauge(
    registry,
    "geolookup_gateway_auth_nodes_live",
    "Auth nodes that this gateway reaches and that have every key event.",
    () => nodes.countCurrent(),
  );
  const progress = createLogProgress();
  const isBehind = (response: WireResponse) => progress.isBehind(positionOf(response), response.positionAgeMs ?? 0);
  const nodes = openNodes({
    target,
    peer,
    deadlineMs: DEADLINE_MS,
    hedgeAfterMs: HEDGE_AFTER_MS,
    isBehind: (response) => isBehind(response as WireResponse),
    onHedge: metrics.hedged,
    log,
  });
  const batcher = createBatcher<KeyCheck, PositionedAuthorization>({
    maxSize: MAX_BATCH,
    intervalMs: BATCH_INTERVAL_MS,
    send: async (checks) => {
      const request = {
        checks: checks.map(checkToWire),
      };
      const response = await metrics.measure(checks.length, () => nodes.call(AUTH.Authorize, request));
      const position = positionOf(response);
      const { rules = "", positionAgeMs = 0 } = response;
      const ageMs = isBehind(response) ? Number.POSITIVE_INFINITY : positionAgeMs;
      return response.authorizations.map((wire, index) => {
        const authorization = withWholeOrigin(fromWire(wire), checks[index]?.origin);
        return authorization instanceof Error ? authorization : { authorization, position, rules, ageMs };
      });
    },
  });
  return {
    authorizeWithPosition: (check) => batcher.add(check),
    checkNodes: async () => {
      const responses = await nodes.callEach(AUTH.Authorize, { checks: [] });
      const response = responses.find((each) => !isBehind(each)) ?? responses[0];
      return { rules: response?.rules, highest: progress.highest(), isReached: nodes.countCurrent() > 0 };
    },
    authorize: async (check) => (await batcher.add(check)).authorization,
    [Symbol.dispose]: () => nodes[Symbol.dispose](),
  };
}

/**
 * Headers can be 16 kB long, and one message carries 512 checks, so auth gets only what it needs: the origin of a long
 * referer, and just enough of a long origin to make it invalid.
 */
function checkToWire({ key, origin, referer }: KeyCheck): WireCheck {
  const shortReferer = referer !== null && referer.length > MAX_ORIGIN_LENGTH ? refererOrigin(referer) : referer;
  return {
    key,
    ...(origin === null ? {} : { origin: origin.slice(0, MAX_ORIGIN_LENGTH + 1) }),
    ...(shortReferer === null ? {} : { referer: shortReferer }),
  };
}

/** Restores the whole origin in a refusal: auth receives a long one truncated, and returns it as it is. */
function withWholeOrigin(
  authorization: Authorization | Error,
  origin: string | null | undefined,
): Authorization | Error {
  if (authorization instanceof Error || authorization.outcome !== "origin_not_allowed" || !origin) return authorization;
  return { ...authorization, refusedOrigin: origin };
}

/** An epoch without a sequence is the start of an empty log: proto3 omits zeros. */
function positionOf({ epoch = "", sequence = 0 }: WireResponse): KeyPosition | null {
  return epoch === "" ? null : { epoch, sequence };
}

function fromWire({
  outcome,
  grant: wireGrant,
  refusedOrigin,
  end: wireEnd,
  revokedKeyId: keyId,
}: WireAuthorization): Authorization | Error {
  switch (outcome) {
    case "GRANTED": {
      const grant = grantFromWire(wireGrant);
      return grant instanceof Error ? grant : { outcome: "granted", grant };
    }
    case "ORIGIN_NOT_ALLOWED": {
      const grant = grantFromWire(wireGrant);
      return grant instanceof Error
        ? grant
        : { outcome: "origin_not_allowed", grant, refusedOrigin: refusedOrigin ?? null };
    }
    case "MALFORMED_KEY":
      return { outcome: "malformed_key" };
    case "BAD_SIGNATURE":
      return { outcome: "bad_signature" };
    case "UNKNOWN_KEY": {
      if (!wireGrant || !wireEnd) return { outcome: "unknown_key" };
      const grant = grantFromWire({ ...wireGrant, end: wireEnd });
      return grant instanceof Error ? grant : { outcome: "unknown_key", end: endFromWire(wireEnd), grant };
    }
    case "REVOKED_KEY":
      return { outcome: "revoked_key", keyId };
    default:
      return new ServiceError("internal", `auth could not authorize the key: ${outcome ?? "no outcome"}`);
  }
}

function fieldsFromWire({ fields, fieldNames }: WireGrant): PlanFields {
  // A name that only a newer version knows isn't in the record.
  if (fieldNames.length > 0) return FIELDS.filter((name) => fieldNames.includes(name));
  return fields === "PAID" ? "paid" : "free";
}

function grantFromWire(wire: WireGrant | undefined): Grant | Error {
  if (!wire?.keyId || !wire.plan) return new ServiceError("internal", "auth returned an incomplete grant");
  return {
    keyId: wire.keyId,
    kind: wire.kind === "SECRET" ? "secret" : "publishable",
    plan: wire.plan,
    fields: fieldsFromWire(wire),
    monthlyRequests: wire.monthlyRequests ?? 0,
    origins: wire.origins,
    display: wire.display ?? "",
    counts: undefined,
    // Auth nodes of version 0.1 don't send limits.
    ...(wire.limits && { limits: limitsFromWire(wire.limits) }),
    // Anyone can read a publishable key.
    ...(wire.mayForward && wire.kind === "SECRET" && { mayForward: true }),
    // Left out of other grants, so that those have one shape.
    ...(wire.quota && { quota: quotaFromWire(wire.quota) }),
    ...(wire.nextQuota && { nextQuota: { ...quotaFromWire(wire.nextQuota), from: wire.nextQuota.from ?? "" } }),
    ...(wire.end && { ends: { atMs: Date.parse(wire.end.at ?? ""), how: endFromWire(wire.end).how } }),
    ...(wire.customer && { customer: wire.customer }),
  };
}

function quotaFromWire({ id = "", monthlyRequests = 0 }: WireQuota): Quota {
  return { id, monthlyRequests };
}

function endFromWire({ how, at = "" }: WireEnd): KeyEnd {
  return { how: how as KeyEnd["how"], at };
}

/** How far auth nodes have read the key log, by their own responses. */
export interface LogProgress {
  /**
   * Takes a node's position.
   * @param ageMs how long ago it was the end of the log.
   * @returns whether the node is behind: it doesn't follow the log, or has read less of it than another one.
   */
  isBehind(position: KeyPosition | null, ageMs: number): boolean;
  /** The highest position of any node, in the epoch of those that follow the log. Null if none is known. */
  highest(): KeyPosition | null;
}

export function createLogProgress(): LogProgress {
  let highest: KeyPosition | null = null;
  return {
    isBehind: (position, ageMs) => {
      const isLive = ageMs < MAX_LIVE_AGE_MS;
      if (!position) return !isLive;
      const isSameLog = highest === null || position.epoch === highest.epoch;
      if (isSameLog ? position.sequence >= (highest?.sequence ?? 0) : isLive) highest = position;
      return !isLive || position.sequence < (highest?.sequence ?? 0);
    },
    highest: () => highest,
  };
}
