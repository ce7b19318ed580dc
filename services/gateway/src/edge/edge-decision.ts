import { createHash, timingSafeEqual } from "node:crypto";
import type { EdgeErrorCode, EdgeProblem } from "@geolookup/shared/domain/edge-errors.ts";
import type { LocateReason, Locator } from "@geolookup/shared/domain/locate.ts";
import { UNKNOWN_TEXT } from "@geolookup/shared/domain/record-text.ts";
import { createTally } from "@geolookup/shared/runtime/observability/metrics.ts";
import type { Registry } from "@prometheus-io/client";
import { CLOSED_REASONS, type ClosedReason } from "../connections/connection.ts";
import { type EdgeConfig, HEADER_OF } from "./edge-config.ts";
import { createEdgeRecords } from "./edge-record.ts";

/** The response to one request of a proxy: the place's headers, names and values in turn, or why it is refused. */
export type EdgeDecision = { reason: EdgeReason } & ({ problem: null; headers: string[] } | { problem: EdgeProblem });

/** Decides about one request, over HTTP or gRPC. */
export type EdgeDecide = (request: {
  /** X-Edge-Token, as sent. */
  token: string | string[] | undefined;
  /** @returns the caller's address, canonical. */
  ip: () => string;
  /** Skips the lookup, because too many are in progress. The place is then unknown. */
  isOverload: boolean;
}) => Promise<EdgeDecision>;

const OVERLOAD = { record: UNKNOWN_TEXT, reason: "overload" as const };

export function createEdgeDecide(config: EdgeConfig, locator: Locator): EdgeDecide {
  const { preset, fields } = config;
  const tokenProblem = createTokenCheck(config.token);
  const recordOf = createEdgeRecords(config);
  const ipHeader = fields.includes("ip") ? HEADER_OF[preset].ip : undefined;
  return async (request) => {
    const problem = tokenProblem(request.token);
    if (problem) return { problem, reason: "none" };
    const ip = request.ip();
    const locating = request.isOverload ? OVERLOAD : locator.locate(ip);
    const { record, reason } = locating instanceof Promise ? await locating : locating;
    const { headers, refusal } = recordOf(record.members);
    if (refusal !== null && !config.isExempt(ip))
      return { problem: { code: "country_not_allowed", reason: refusal }, reason };
    if (ipHeader !== undefined) headers.push(ipHeader, ip);
    return { problem: null, headers, reason };
  };
}

/**
 * Compares tokens in constant time.
 * @param token EDGE_TOKEN; null: none is required.
 * @returns a function that takes the X-Edge-Token header, and returns the problem with it or null.
 */
export function createTokenCheck(token: string | null): (sent: string | string[] | undefined) => EdgeProblem | null {
  if (token === null) return () => null;
  const expected = sha256(token);
  return (sent) => {
    if (sent === undefined) return { code: "invalid_edge_token", wasSent: false };
    return timingSafeEqual(sha256(String(sent)), expected) ? null : { code: "invalid_edge_token", wasSent: true };
  };
}

const sha256 = (text: string) => createHash("sha256").update(text).digest();

/** `overload`: not looked up for lack of capacity. `none`: refused before the lookup. */
export type EdgeReason = LocateReason | "overload" | "none";

/** The edge port's metrics. Labels are from closed sets. */
export interface EdgeMetrics {
  responded(code: "ok" | EdgeErrorCode | "unreadable" | "internal_error", reason: EdgeReason): void;
  connectionClosed(reason: ClosedReason): void;
}

export function createEdgeMetrics(registry: Registry): EdgeMetrics {
  const requests = createTally(registry, {
    name: "geolookup_edge_requests_total",
    help: "Requests to the edge port by error code (ok if none) and outcome of the lookup.",
    labelNames: ["code", "reason"],
  });
  for (const reason of ["found", "unreachable", "overload"] as const) requests("ok", reason);
  const closed = createTally(registry, {
    name: "geolookup_edge_connections_closed_total",
    help: "Connections of the edge port that the gateway closed, by the limit they exceeded.",
    labelNames: ["reason"],
  });
  for (const reason of CLOSED_REASONS) closed(reason);
  return {
    responded: (code, reason) => {
      requests(code, reason).count += 1;
    },
    connectionClosed: (reason) => {
      closed(reason).count += 1;
    },
  };
}
