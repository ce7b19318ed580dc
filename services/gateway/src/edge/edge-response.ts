import type { IncomingMessage } from "node:http";
import { EDGE_ERROR_STATUS, type EdgeProblem, edgeErrorBody } from "@geolookup/shared/domain/edge-errors.ts";
import type { RecordText } from "@geolookup/shared/domain/record-text.ts";
import { createTokenCheck } from "./check-token.ts";
import type { EdgeConfig } from "./edge-config.ts";
import { createEdgeRecords } from "./edge-record.ts";
import { HEADER_OF } from "./header-presets.ts";
import { headerValue } from "./header-value.ts";

/** A response with its headers as names and values in turn. */
export interface EdgeResponse {
  status: number;
  headers: string[];
  body: string;
}

/** What the edge port responds with. */
export interface EdgeResponses {
  /** @returns the problem of a request without the token; null if it has it, or none is required. */
  checkToken(req: IncomingMessage): EdgeProblem | null;
  /** @returns the problem of a place that the country rules refuse, or null. */
  checkPlace(record: RecordText): EdgeProblem | null;
  place(ip: string, record: RecordText): EdgeResponse;
  problem(problem: EdgeProblem): EdgeResponse;
}

export function createEdgeResponses(config: EdgeConfig, docsUrl: () => string): EdgeResponses {
  const { preset, fields, cacheSeconds, token } = config;
  const recordOf = createEdgeRecords(config);
  const tokenProblem = createTokenCheck(token);
  const ipHeader = fields.includes("ip") ? HEADER_OF[preset].ip : undefined;
  const always = ["Content-Length", "0", ...cachingHeaders(cacheSeconds)];
  return {
    checkToken: ({ headers }) => tokenProblem(headers["x-edge-token"]),
    checkPlace: (record) => {
      const { refusal } = recordOf(record);
      return refusal === null ? null : { code: "country_not_allowed", reason: refusal };
    },
    place: (ip, record) => {
      const address = ipHeader === undefined ? [] : [ipHeader, headerValue(preset, "ip", ip)];
      return { status: 200, headers: [...always, ...address, ...recordOf(record).headers], body: "" };
    },
    problem: (problem) => {
      const body = JSON.stringify(edgeErrorBody(problem, docsUrl()));
      const length = String(Buffer.byteLength(body));
      const headers = ["Content-Type", "application/json; charset=utf-8", "Content-Length", length, ...NO_STORE];
      return { status: EDGE_ERROR_STATUS[problem.code], headers, body };
    },
  };
}

const NO_STORE = ["Cache-Control", "no-store"];

/** A response is about the address in X-Forwarded-For: a cache that keeps it for others would mix up visitors. */
function cachingHeaders(seconds: number | null): string[] {
  return seconds === null ? NO_STORE : ["Cache-Control", `max-age=${seconds}`, "Vary", "X-Forwarded-For"];
}
