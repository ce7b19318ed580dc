import { createHash, timingSafeEqual } from "node:crypto";
import type { EdgeProblem } from "@geolookup/shared/domain/edge-errors.ts";
import type { Locator } from "@geolookup/shared/domain/locate.ts";
import { UNKNOWN_TEXT } from "@geolookup/shared/domain/record-text.ts";
import { type EdgeConfig, HEADER_OF } from "./edge-config.ts";
import type { EdgeReason } from "./edge-metrics.ts";
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
