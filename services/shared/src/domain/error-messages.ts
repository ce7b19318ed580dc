import type { ErrorCode, Problem } from "./errors.ts";
import { keyMessage } from "./key-messages.ts";
import { limitMessage } from "./limit-messages.ts";
import { notFoundMessage } from "./not-found-messages.ts";

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
