import { EDGE_ERROR_STATUS, type EdgeProblem, edgeErrorBody } from "@geolookup/shared/domain/edge-errors.ts";

/** A response that tells why a request is refused. */
interface EdgeRefusal {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** What the edge port responds with over HTTP. */
export interface EdgeResponses {
  /** Headers of every response with a place, names and values in turn. */
  ofPlace: readonly string[];
  problem(problem: EdgeProblem): EdgeRefusal;
}

export function createEdgeResponses(cacheSeconds: number | null, docsUrl: () => string): EdgeResponses {
  return {
    ofPlace: Object.entries({ "Content-Length": "0", ...cachingHeaders(cacheSeconds) }).flat(),
    problem: (problem) => {
      const body = JSON.stringify(edgeErrorBody(problem, docsUrl()));
      const length = String(Buffer.byteLength(body));
      const headers = { "Content-Type": "application/json; charset=utf-8", "Content-Length": length, ...NO_STORE };
      return { status: EDGE_ERROR_STATUS[problem.code], headers, body };
    },
  };
}

const NO_STORE = { "Cache-Control": "no-store" };

/** A response is about the address in X-Forwarded-For: a cache that keeps it for others would mix up visitors. */
function cachingHeaders(seconds: number | null): Record<string, string> {
  return seconds === null ? NO_STORE : { "Cache-Control": `max-age=${seconds}`, Vary: "X-Forwarded-For" };
}
