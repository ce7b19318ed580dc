import { EDGE_ERROR_STATUS, type EdgeProblem, edgeErrorBody } from "@geolookup/shared/domain/edge-errors.ts";

/** A response with its headers as names and values in turn. */
export interface EdgeResponse {
  status: number;
  headers: string[];
  body: string;
}

/** What the edge port responds with over HTTP. */
export interface EdgeResponses {
  /** @param placeHeaders names and values in turn. */
  place(placeHeaders: readonly string[]): EdgeResponse;
  problem(problem: EdgeProblem): EdgeResponse;
}

export function createEdgeResponses(cacheSeconds: number | null, docsUrl: () => string): EdgeResponses {
  const always = ["Content-Length", "0", ...cachingHeaders(cacheSeconds)];
  return {
    place: (placeHeaders) => ({ status: 200, headers: always.concat(placeHeaders), body: "" }),
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
