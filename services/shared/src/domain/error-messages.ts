import { echo } from "./echo.ts";
import { type ErrorCode, MAX_HEADERS, type Problem, type Unreadable } from "./errors.ts";
import { HOW_TO_SEND, keyMessage, SET_PLAN } from "./key-messages.ts";

/** The body of every response outside 2xx (contract, section 7). */
export interface ErrorBody {
  error: { code: ErrorCode; message: string; docs: string };
}

/** @param docsUrl base address of the docs site, without a trailing slash. */
export function errorBody(problem: Problem, docsUrl: string): ErrorBody {
  return {
    error: { code: problem.code, message: problemMessage(problem), docs: `${docsUrl}/errors/${problem.code}` },
  };
}

/**
 * The message of an error response, written for a developer: what is wrong and what to change
 * (contract, section 7). Input from the caller is escaped and truncated.
 */
function problemMessage(problem: Problem): string {
  switch (problem.code) {
    case "rate_limited":
    case "quota_exceeded":
      return limitMessage(problem);
    case "not_found":
      return notFoundMessage(problem);
    case "internal_error":
      return FAILURES[problem.reason];
    default:
      return keyMessage(problem);
  }
}

const FAILURES: Readonly<Record<(Problem & { code: "internal_error" })["reason"], string>> = {
  overload:
    "The service is overloaded and refused this request. Try again after the number of seconds in `Retry-After`. If this " +
    "persists, tell the operator of this API.",
  fault:
    "The service failed to respond; your request is not the cause. Try again in a moment. If this persists, tell the " +
    "operator of this API when it happened. Operators: the cause is in the service's log.",
  docs:
    "The docs site is not responding; the API is unaffected. Try again in a moment. If this persists, tell the operator of " +
    "this API. Operators: the cause is in the gateway's log.",
  docs_busy: "The docs site is busy; the API is unaffected. Try again in a moment.",
};

/** The message for an exceeded limit or quota. */
export function limitMessage(problem: Problem & { code: "rate_limited" | "quota_exceeded" }): string {
  if (problem.code === "rate_limited") return rateLimited(problem);
  if (problem.isShared)
    return (
      `The key ${echo(problem.display)} and your other keys share one quota, and together they have used all ${problem.limit} ` +
      `requests that it includes this month. Wait until ${utc(problem.resetUnixSeconds)}, or ask the operator of this API ` +
      `for a larger quota. Operators: raise the customer's quota in the console, or ${SET_PLAN}.`
    );
  if (problem.limit === 0)
    return (
      `The plan \`${problem.plan}\` of the key ${echo(problem.display)} includes no requests. ` +
      `Ask the operator of this API for another plan. Operators: ${SET_PLAN}.`
    );
  return (
    `The key ${echo(problem.display)} has used all ${problem.limit} requests that its plan \`${problem.plan}\` ` +
    `includes this month. Wait until ${utc(problem.resetUnixSeconds)}, or ask the operator of this API for a larger plan. ` +
    `Operators: ${SET_PLAN}.`
  );
}

function rateLimited(problem: Problem & { code: "rate_limited" }): string {
  const { limit, resetUnixSeconds } = problem;
  switch (problem.exceeded) {
    case "keyless_hourly": {
      if (limit === 0)
        return `This API requires a key. Send one ${HOW_TO_SEND}. If you have none, ask the operator of this API.`;
      const requests = limit === 1 ? "the one keyless request" : `all ${limit} keyless requests`;
      return (
        `Your IP address has used ${requests} for this hour. ` +
        `Wait until ${utc(resetUnixSeconds)}, or send an API key ${HOW_TO_SEND}. The operator of this API issues keys.`
      );
    }
    case "caller_hourly":
      return (
        `Your IP address has reached the limit of ${counted(limit)} per hour that the plan \`${problem.plan}\` sets for ` +
        `each caller of the key ${echo(problem.display)}. Wait until ${utc(resetUnixSeconds)}, and reuse each response ` +
        `for 300 seconds. Operators: raise \`perCallerHourly\` in the plans file, or ${SET_PLAN}.`
      );
    case "per_second": {
      const burst = problem.burst === limit ? "" : ` (bursts of ${problem.burst})`;
      return (
        `The key ${echo(problem.display)} has exceeded ${counted(limit)} per second${burst}, the limit of its plan ` +
        `\`${problem.plan}\` for all callers combined. Retry after the number of seconds in \`Retry-After\`, and spread ` +
        `out your requests. Operators: raise \`perSecond\` or \`burst\` in the plans file, or ${SET_PLAN}.`
      );
    }
  }
}

function counted(requests: number): string {
  return requests === 1 ? "1 request" : `${requests} requests`;
}

function utc(unixSeconds: number): string {
  return `${new Date(unixSeconds * 1000).toISOString().replace(".000Z", "Z")} (Unix time ${unixSeconds})`;
}

const UNREADABLE: Readonly<Record<Unreadable, string>> = {
  syntax: "The request isn't valid HTTP/1.1. Send `GET /v1/geo HTTP/1.1` with a `Host` header.",
  method:
    "The request doesn't start with a known HTTP method. Methods are uppercase and case-sensitive. Send " +
    "`GET /v1/geo HTTP/1.1` with a `Host` header.",
  headers_too_large:
    "The request headers are too large: together they may not exceed 16 kB. Send fewer or shorter headers; large cookies " +
    "are a common cause.",
  too_many_headers: `The request has too many headers: it may have at most ${MAX_HEADERS}. Send fewer.`,
  too_slow: "The request did not arrive in time. Send it all at once.",
  host: "The request must have exactly one `Host` header.",
  form_too_large: "The form is too large: it may not exceed 64 kB. Shorten it and send it again.",
  form_too_slow: "The form did not arrive within 5 seconds. Go back and send it again.",
  expectation: "The request has an `Expect` header, but requests here have no body. Remove the header.",
  tunnel: "`CONNECT` isn't supported: this service isn't a proxy. Send `GET /v1/geo`.",
};

/** The message for a request that no endpoint serves, or that can't be read. */
export function notFoundMessage(problem: Problem & { code: "not_found" }): string {
  if ("unreadable" in problem) return UNREADABLE[problem.unreadable];
  if ("apiUrl" in problem)
    return (
      "This is the address of the docs site, not of the API. " +
      (problem.apiUrl === null
        ? "Ask the operator for the API's address."
        : `Send the request to \`${problem.apiUrl}/v1/geo\`.`)
    );
  const { method, path } = problem;
  const plainPath = path.split(/[?#]/, 1)[0] ?? "";
  if ((plainPath === "/v1/geo" || plainPath === "/") && method !== "GET" && method !== "HEAD")
    return `\`${plainPath}\` doesn't support ${echo(method)}. Use GET, without a body.`;
  if (path.includes("#"))
    return (
      "The request target has a fragment (`#…`), which clients must not send. Remove the `#` and everything after it, or " +
      "write a `#` in a value as `%23`."
    );
  return (
    `There is no endpoint ${echo(`${method} ${plainPath}`)}. Use \`GET /v1/geo\` or \`GET /\`. Paths must match exactly, ` +
    "including case and slashes."
  );
}
