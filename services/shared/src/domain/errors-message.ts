import type { KeySlot, Problem, Unreadable } from "./errors.ts";
import { echo } from "./errors-echo.ts";
import { parseAllowlistEntry } from "./origin.ts";

const SLOT_NAME: Readonly<Record<KeySlot, string>> = {
  query: "the `key` query parameter",
  bearer: "the `Authorization: Bearer` header",
  header: "the `X-API-Key` header",
};

/** Works wherever the service runs. In single quotes: an answer's JSON would show double ones escaped. */
const keysCommand = (command: string) => `\`make keys ARGS='${command}'\``;
const SET_PLAN = keysCommand("set-plan ID PLAN");
const HOW_TO_SEND = "as `?key=…`, `Authorization: Bearer …` or `X-API-Key: …`";

/**
 * The text a developer reads in an error answer: what is wrong, and what to change (contract,
 * section 7). What the caller sent is echoed escaped and cut short.
 */
export function problemMessage(problem: Problem): string {
  switch (problem.code) {
    case "missing_key":
      return missingKey(problem);
    case "malformed_key":
      return malformedKey(problem);
    case "bad_signature":
      return (
        `The key ${echo(problem.display)} in ${SLOT_NAME[problem.slot]} was not issued by this service: its signature ` +
        "does not match. Copy the key again, whole, and check that it belongs to this deployment and not to another one."
      );
    case "unknown_key":
      return (
        `There is no active record for the key ${echo(problem.display)} in ${SLOT_NAME[problem.slot]}. Check that it was ` +
        "issued by this deployment; if its data was restored from an older backup, issue a new key with " +
        `${keysCommand("issue …")}.`
      );
    case "revoked_key":
      return (
        `The key ${echo(problem.display)} in ${SLOT_NAME[problem.slot]} was revoked and will not work again. ` +
        `Use another key, or issue a new one with ${keysCommand("issue …")}.`
      );
    case "origin_not_allowed":
      return originNotAllowed(problem);
    case "rate_limited":
      return rateLimited(problem);
    case "quota_exceeded":
      return (
        `The key ${echo(problem.display)} has used the ${problem.limit} requests that its plan \`${problem.plan}\` ` +
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
    "The service has more requests than it can take and refused this one early. Try again after the seconds " +
    "in `Retry-After`.",
  fault:
    "The service failed to answer; your request is not the cause. Try again in a moment. If it goes on, tell " +
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
      if (limit === 0) return `No requests are served without a key here. Send an API key ${HOW_TO_SEND}.`;
      const requests = limit === 1 ? "one request" : `${limit} requests`;
      return (
        `Your address has used the ${requests} an hour that it is served without a key. ` +
        `Wait until ${utc(resetUnixSeconds)}, or send an API key ${HOW_TO_SEND}.`
      );
    }
    case "caller_hourly":
      return (
        `Your address has used all ${counted(limit)} an hour that the plan \`${problem.plan}\` allows each caller of ` +
        `the key ${echo(problem.display)}. Wait until ${utc(resetUnixSeconds)}, and reuse each response for 300 seconds. ` +
        `As the operator, raise \`perCallerHourly\` in the plans file, or change the plan with ${SET_PLAN}.`
      );
    case "per_second": {
      const burst = problem.burst === limit ? "" : ` (${problem.burst} at once)`;
      return (
        `The key ${echo(problem.display)} has exceeded ${counted(limit)} a second${burst}, the limit of its plan ` +
        `\`${problem.plan}\` for all callers together. Retry after the seconds in \`Retry-After\`, and spread requests ` +
        `out. As the operator, raise \`perSecond\` or \`burst\` in the plans file, or change the plan with ${SET_PLAN}.`
      );
    }
  }
}

function counted(requests: number): string {
  return requests === 1 ? "1 request" : `${requests} requests`;
}

function missingKey(problem: Problem & { code: "missing_key" }): string {
  if (problem.reason === "keyless_off")
    return `No API key was sent, and this service answers nobody without one. Send a key ${HOW_TO_SEND}.`;
  const name = SLOT_NAME[problem.slot];
  const without = problem.servesKeyless ? `, or leave ${name} out altogether if you mean to ask without a key` : "";
  return (
    `There is no key in ${name}: it was sent, but it is empty. Is the variable that should hold the key set? ` +
    `Put the key there${without}.`
  );
}

function malformedKey(problem: Problem & { code: "malformed_key" }): string {
  const name = SLOT_NAME[problem.slot];
  switch (problem.reason) {
    case "given_twice":
      return `More than one key was sent in ${name}. Send exactly one.`;
    case "too_long":
      return `What was sent in ${name} has more than 256 characters, so it is no key. Send the key alone.`;
    case "shape":
      return (
        `What was sent in ${name} is no key: a key starts with \`geo_pk_\` or \`geo_sk_\` and holds only letters, ` +
        "digits and underscores. Copy the key again, whole and without quotes or spaces, and check that no " +
        "placeholder was sent in its place."
      );
  }
}

function originNotAllowed(problem: Problem & { code: "origin_not_allowed" }): string {
  const key = `the ${problem.kind} key ${echo(problem.display)}`;
  if (problem.refusedOrigin === null || problem.sentAs === "none")
    return (
      `The allowlist of ${key} names the origins that may use it, and the request has neither an \`Origin\` nor a ` +
      "usable `Referer` header. Send the request from a page on an allowed origin; on a server, use a secret key."
    );
  const source = problem.sentAs === "referer" ? " (taken from the `Referer` header)" : "";
  const refused = `The origin ${echo(problem.refusedOrigin)}${source} is not on the allowlist of ${key}.`;
  const entry = allowlistEntry(problem.refusedOrigin);
  if (entry !== null)
    return (
      `${refused} Add \`${entry}\` to it: ${keysCommand(`set-origins ID ${entry}`)}, with the entries that stay ` +
      `after it, separated by commas; ${keysCommand("list")} shows the key's ID. Or send the request from an ` +
      "allowed origin."
    );
  return problem.refusedOrigin === "null"
    ? `${refused} Browsers send \`null\` for pages opened from a file and for sandboxed frames, and it can never be ` +
        "allowed. Serve the page over HTTP and add that origin."
    : `${refused} It is no bare origin (scheme, host and port, as in \`https://www.example.com\`), so it can never ` +
        "be allowed. Send the `Origin` header as browsers do.";
}

/** The allowlist entry that would let this origin in; null when there is none. */
function allowlistEntry(sent: string): string | null {
  const parsed = parseAllowlistEntry(sent);
  // Strict on top of the parser: the entry goes into a command that people paste into a shell.
  return "entry" in parsed && /^[a-z0-9.:/_[\]-]+$/.test(parsed.entry) ? parsed.entry : null;
}

const UNREADABLE: Readonly<Record<Unreadable, string>> = {
  syntax: "The request could not be read as HTTP/1.1. Send `GET /v1/geo HTTP/1.1` with a `Host` header.",
  headers_too_large:
    "The headers of the request are too large: all together may have 16 kB. Send fewer or shorter headers; large cookies " +
    "are a usual cause.",
  too_slow: "The request did not arrive whole in time. Send it in one piece.",
  host: "The request must name its host in exactly one `Host` header.",
  form_too_large: "The form is too large: it may not exceed 64 kB. Shorten it and send it again.",
  form_too_slow: "The form did not arrive within 5 seconds. Go back and send it again.",
  expectation: "The request has an `Expect` header, and there is no body to expect. Leave the header out.",
  tunnel: "This service is no proxy: `CONNECT` opens nothing here. Send `GET /v1/geo`.",
};

function notFound(problem: Problem & { code: "not_found" }): string {
  if ("unreadable" in problem) return UNREADABLE[problem.unreadable];
  const { method, path } = problem;
  const plainPath = path.split(/[?#]/, 1)[0] ?? "";
  if ((plainPath === "/v1/geo" || plainPath === "/") && method !== "GET" && method !== "HEAD")
    return `\`${plainPath}\` does not answer ${echo(method)}. Use GET; there is no body to send.`;
  return (
    `There is no endpoint ${echo(`${method} ${plainPath}`)}. Use \`GET /v1/geo\` or \`GET /\`; paths are matched ` +
    "exactly, case and slashes included."
  );
}

function utc(unixSeconds: number): string {
  return `${new Date(unixSeconds * 1000).toISOString().replace(".000Z", "Z")} (Unix time ${unixSeconds})`;
}
