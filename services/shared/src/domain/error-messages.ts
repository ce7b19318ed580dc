import { echo } from "./echo.ts";
import type { ErrorCode, KeySlot, Problem, Unreadable } from "./errors.ts";
import { parseAllowlistEntry } from "./origin.ts";

const SLOT_NAME: Readonly<Record<KeySlot, string>> = {
  query: "the `key` query parameter",
  bearer: "the `Authorization: Bearer` header",
  header: "the `X-API-Key` header",
};

/** Works wherever the service runs. Single quotes, because JSON would escape double quotes. */
const keysCommand = (command: string) => `\`make keys ARGS='${command}'\``;
const SET_PLAN = keysCommand("set-plan ID PLAN");
const HOW_TO_SEND = "as `?key=…`, `Authorization: Bearer …` or `X-API-Key: …`";

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
    case "missing_key":
      return missingKey(problem);
    case "malformed_key":
      return malformedKey(problem);
    case "bad_signature":
      return (
        `The key ${echo(problem.display)} in ${SLOT_NAME[problem.slot]} was not issued by this service: its signature ` +
        "doesn't match. Copy the whole key again, and check that it belongs to this deployment."
      );
    case "unknown_key":
      return (
        `There is no active record for the key ${echo(problem.display)} in ${SLOT_NAME[problem.slot]}. Check that this ` +
        "deployment issued it. If its data was restored from an older backup, issue a new key with " +
        `${keysCommand("issue …")}.`
      );
    case "revoked_key":
      return (
        `The key ${echo(problem.display)} in ${SLOT_NAME[problem.slot]} was revoked and can't be used again. ` +
        `Use another key, or issue a new one with ${keysCommand("issue …")}.`
      );
    case "origin_not_allowed":
      return originNotAllowed(problem);
    case "rate_limited":
      return rateLimited(problem);
    case "quota_exceeded":
      return (
        `The key ${echo(problem.display)} has used all ${problem.limit} requests that its plan \`${problem.plan}\` ` +
        `includes this month. Wait until ${utc(problem.resetUnixSeconds)}, or move the key to a larger plan with ${SET_PLAN}.`
      );
    case "not_found":
      return notFound(problem);
    case "internal_error":
      return FAILURES[problem.reason];
  }
}

const FAILURES: Readonly<Record<(Problem & { code: "internal_error" })["reason"], string>> = {
  overload:
    "The service is overloaded and refused this request early. Try again after the number of seconds in `Retry-After`.",
  fault:
    "The service failed to respond; your request is not the cause. Try again in a moment. If this persists, tell " +
    "the operator when it happened: the cause is in the service's log.",
  docs:
    "The docs site is not responding; the API is unaffected. Try again in a moment. If this persists, tell " +
    "the operator: the cause is in the gateway's log.",
  docs_busy: "The docs site is busy; the API is unaffected. Try again in a moment.",
};

function rateLimited(problem: Problem & { code: "rate_limited" }): string {
  const { limit, resetUnixSeconds } = problem;
  switch (problem.exceeded) {
    case "keyless_hourly": {
      if (limit === 0) return `This service requires an API key. Send one ${HOW_TO_SEND}.`;
      const requests = limit === 1 ? "the one keyless request" : `all ${limit} keyless requests`;
      return (
        `Your IP address has used ${requests} for this hour. ` +
        `Wait until ${utc(resetUnixSeconds)}, or send an API key ${HOW_TO_SEND}.`
      );
    }
    case "caller_hourly":
      return (
        `Your IP address has reached the limit of ${counted(limit)} per hour that the plan \`${problem.plan}\` sets for ` +
        `each caller of the key ${echo(problem.display)}. Wait until ${utc(resetUnixSeconds)}, and reuse each response ` +
        `for 300 seconds. Operators can raise \`perCallerHourly\` in the plans file or change the plan with ${SET_PLAN}.`
      );
    case "per_second": {
      const burst = problem.burst === limit ? "" : ` (bursts of ${problem.burst})`;
      return (
        `The key ${echo(problem.display)} has exceeded ${counted(limit)} per second${burst}, the limit of its plan ` +
        `\`${problem.plan}\` for all callers combined. Retry after the number of seconds in \`Retry-After\`, and spread ` +
        "out your requests. Operators can raise `perSecond` or `burst` in the plans file or change the plan with " +
        `${SET_PLAN}.`
      );
    }
  }
}

function counted(requests: number): string {
  return requests === 1 ? "1 request" : `${requests} requests`;
}

function missingKey(problem: Problem & { code: "missing_key" }): string {
  if (problem.reason === "keyless_off")
    return `No API key was sent, and this service requires one. Send a key ${HOW_TO_SEND}.`;
  const name = SLOT_NAME[problem.slot];
  const orOmit = problem.servesKeyless ? `, or omit ${name} to make a keyless request` : "";
  return `An empty key was sent in ${name}. Check that the variable that should hold the key is set${orOmit}.`;
}

function malformedKey(problem: Problem & { code: "malformed_key" }): string {
  const name = SLOT_NAME[problem.slot];
  switch (problem.reason) {
    case "given_twice":
      return `More than one key was sent in ${name}. Send exactly one.`;
    case "too_long":
      return `The value in ${name} isn't a valid key: it is longer than 256 characters. Send only the key.`;
    case "shape":
      return (
        `The value in ${name} isn't a valid key. A key starts with \`geo_pk_\` or \`geo_sk_\` and contains only letters, ` +
        "digits and underscores. Copy the whole key again, without quotes or spaces, and check that you didn't send a " +
        "placeholder."
      );
  }
}

function originNotAllowed(problem: Problem & { code: "origin_not_allowed" }): string {
  const key = `the ${problem.kind} key ${echo(problem.display)}`;
  if (problem.refusedOrigin === null || problem.sentAs === "none")
    return (
      `Only origins on its allowlist can use ${key}, and this request has neither an \`Origin\` nor a usable ` +
      "`Referer` header. Send the request from a page on an allowed origin, or use a secret key on a server."
    );
  const source = problem.sentAs === "referer" ? " (taken from the `Referer` header)" : "";
  const refused = `The origin ${echo(problem.refusedOrigin)}${source} isn't on the allowlist of ${key}.`;
  const entry = allowlistEntry(problem.refusedOrigin);
  if (entry !== null)
    return (
      `${refused} Add \`${entry}\` with ${keysCommand(`set-origins ID ${entry}`)}. This replaces the list, so append ` +
      `the entries to keep, separated by commas; ${keysCommand("list")} shows the key's ID. Or send the request from ` +
      "an allowed origin."
    );
  return problem.refusedOrigin === "null"
    ? `${refused} Browsers send \`null\` for pages opened from a file and for sandboxed frames, and it can't be ` +
        "allowed. Serve the page over HTTP and add that origin."
    : `${refused} It isn't a valid origin (scheme, host and port, such as \`https://www.example.com\`), so it can't ` +
        "be allowed. Send the `Origin` header that a browser would send.";
}

/** The allowlist entry that would allow this origin; null if there is none. */
function allowlistEntry(sent: string): string | null {
  const parsed = parseAllowlistEntry(sent);
  // Stricter than the parser, because people paste this command into a shell.
  return "entry" in parsed && /^[a-z0-9.:/_[\]-]+$/.test(parsed.entry) ? parsed.entry : null;
}

const UNREADABLE: Readonly<Record<Unreadable, string>> = {
  syntax: "The request isn't valid HTTP/1.1. Send `GET /v1/geo HTTP/1.1` with a `Host` header.",
  method:
    "The request doesn't start with a known HTTP method. Methods are case-sensitive, in upper case. Send " +
    "`GET /v1/geo HTTP/1.1` with a `Host` header.",
  headers_too_large:
    "The request headers are too large: together they may not exceed 16 kB. Send fewer or shorter headers; large cookies " +
    "are a common cause.",
  too_slow: "The request did not arrive in time. Send it all at once.",
  host: "The request must have exactly one `Host` header.",
  form_too_large: "The form is too large: it may not exceed 64 kB. Shorten it and send it again.",
  form_too_slow: "The form did not arrive within 5 seconds. Go back and send it again.",
  expectation: "The request has an `Expect` header, but requests here have no body. Remove the header.",
  tunnel: "`CONNECT` isn't supported: this service isn't a proxy. Send `GET /v1/geo`.",
};

function notFound(problem: Problem & { code: "not_found" }): string {
  if ("unreadable" in problem) return UNREADABLE[problem.unreadable];
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

function utc(unixSeconds: number): string {
  return `${new Date(unixSeconds * 1000).toISOString().replace(".000Z", "Z")} (Unix time ${unixSeconds})`;
}
