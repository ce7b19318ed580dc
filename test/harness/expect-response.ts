import { expect } from "chai";
import { type ErrorCode, STATUSES } from "../../scripts/smoke/contract.ts";
import type { Deployment } from "./deployment.ts";
import type { HttpResponse } from "./http.ts";
import { mismatches } from "./openapi.ts";
import type { RawResponse } from "./raw.ts";

/** The three headers of a limit, as numbers. Unix seconds in `reset`. */
export function limitHeaders(response: HttpResponse) {
  const numberIn = (name: string) => {
    expect(response.headers, `the header ${name}`).to.have.property(name.toLowerCase());
    const text = String(response.headers[name.toLowerCase()]);
    expect(text, name).to.match(/^\d+$/);
    return Number(text);
  };
  return {
    limit: numberIn("X-RateLimit-Limit"),
    remaining: numberIn("X-RateLimit-Remaining"),
    reset: numberIn("X-RateLimit-Reset"),
  };
}

/** Asserts the CORS and caching headers of a response that a page may read. */
function expectCommonHeaders(headers: Readonly<Record<string, unknown>>): void {
  expect(headers["access-control-allow-origin"]).to.equal("*");
  expect(headers).to.not.have.property("access-control-allow-credentials");
  expect(namesIn(headers["access-control-expose-headers"])).to.include.members([
    "x-ratelimit-limit",
    "x-ratelimit-remaining",
    "x-ratelimit-reset",
    "retry-after",
    "x-geolookup-notice",
  ]);
  expect(headers).to.not.have.property("etag");
  expect(headers).to.not.have.property("last-modified");
  expect(headers).to.not.have.property("x-powered-by");
  expect(headers).to.not.have.property("set-cookie");
}

/** Asserts a 200 with all its headers. @returns its record. */
export function expectRecord(response: HttpResponse) {
  expect(response.status, response.text).to.equal(200);
  expectCommonHeaders(response.headers);
  expect(response.headers["content-type"]).to.match(/^application\/json(; charset=utf-8)?$/);
  expect(response.headers["cache-control"]).to.equal("private, max-age=300");
  const withoutProxies = varyOf(response).filter((name) => name !== "x-forwarded-for");
  expect(withoutProxies).to.have.members(["origin", "authorization", "x-api-key"]);
  const { limit, remaining } = limitHeaders(response);
  expect(remaining).to.be.below(limit);
  expect(response.json).to.be.an("object");
  return response.json;
}

/** The names in Vary, lower case. */
export function varyOf(response: HttpResponse): string[] {
  return namesIn(response.headers.vary);
}

/** Asserts an error response: status, shape of the body, docs link, CORS and caching headers. @returns its message. */
export function expectError(response: HttpResponse, code: ErrorCode, deployment: Pick<Deployment, "docsUrl">): string {
  expect(response.status, response.text).to.equal(STATUSES[code]);
  return expectErrorParts(response.headers, response.text, code, deployment);
}

/** Like expectError for malformed HTTP, after which the server closes the connection. @returns its message. */
export function expectRawError(
  response: RawResponse,
  code: ErrorCode,
  deployment: Pick<Deployment, "docsUrl">,
): string {
  expect(response.status, response.whole).to.equal(STATUSES[code]);
  expect(response.headers.connection?.toLowerCase()).to.equal("close");
  expect(Number(response.headers["content-length"])).to.equal(Buffer.byteLength(response.body));
  // The request was unreadable, which counts as an unknown endpoint.
  expect(mismatches({ path: "/elsewhere" }, { ...response, text: response.body })).to.deep.equal([]);
  return expectErrorParts(response.headers, response.body, code, deployment);
}

function expectErrorParts(
  headers: Readonly<Record<string, unknown>>,
  text: string,
  code: ErrorCode,
  deployment: Pick<Deployment, "docsUrl">,
): string {
  expect(headers["content-type"]).to.match(/^application\/json(; charset=utf-8)?$/);
  expectCommonHeaders(headers);
  expect(headers["cache-control"]).to.equal("no-store");
  const body = JSON.parse(text);
  expect(body).to.have.all.keys("error");
  expect(body.error).to.have.all.keys("code", "message", "docs");
  expect(body.error.code).to.equal(code);
  expect(body.error.docs).to.equal(`${deployment.docsUrl}/errors/${code}`);
  expect(body.error.message).to.be.a("string").with.length.above(20);
  return body.error.message;
}

/** Asserts the response to an OPTIONS request (contract, section 4.2). */
export function expectPreflight({ status, headers, text }: Pick<HttpResponse, "status" | "headers" | "text">): void {
  expect(status, text).to.equal(204);
  expect(text).to.equal("");
  expect(headers["access-control-max-age"]).to.equal("86400");
  expect(headers["access-control-allow-origin"]).to.equal("*");
  expect(namesIn(headers["access-control-allow-methods"])).to.have.members(["get", "head", "options"]);
  expect(namesIn(headers["access-control-allow-headers"])).to.include.members(["authorization", "x-api-key"]);
  expect(headers).to.not.have.property("access-control-allow-credentials");
  expect(headers).to.not.have.property("x-powered-by");
}

/** The names in a header with a list, lower case. */
function namesIn(header: unknown): string[] {
  return String(header ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());
}
