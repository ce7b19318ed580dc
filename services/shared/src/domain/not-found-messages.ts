import { echo } from "./echo.ts";
import { MAX_HEADERS, type Problem, type Unreadable } from "./errors.ts";

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
