import { expect } from "chai";
import { type ErrorCode, STATUSES } from "../../scripts/smoke/contract.ts";
import type { Deployment } from "./deployment.ts";
import type { HttpResponse } from "./http.ts";
import { departures } from "./openapi.ts";
import type { RawAnswer } from "./raw.ts";

/** The three headers of a limit, as numbers. Unix seconds in `reset`. */
export function limitHeaders(answer: HttpResponse) {
  const numberIn = (name: string) => {
    expect(answer.headers, `the header ${name}`).to.have.property(name.toLowerCase());
    const text = String(answer.headers[name.toLowerCase()]);
    expect(text, name).to.match(/^\d+$/);
    return Number(text);
  };
  return {
    limit: numberIn("X-RateLimit-Limit"),
    remaining: numberIn("X-RateLimit-Remaining"),
    reset: numberIn("X-RateLimit-Reset"),
  };
}

/** What holds for every answer that a page may want to read (design, section 4: CORS, Caching). */
function expectCommonHeaders(headers: Readonly<Record<string, unknown>>): void {
  expect(headers["access-control-allow-origin"]).to.equal("*");
  expect(headers).to.not.have.property("access-control-allow-credentials");
  expect(namesIn(headers["access-control-expose-headers"])).to.include.members([
    "x-ratelimit-limit",
    "x-ratelimit-remaining",
    "x-ratelimit-reset",
    "retry-after",
  ]);
  expect(headers).to.not.have.property("etag");
  expect(headers).to.not.have.property("last-modified");
  expect(headers).to.not.have.property("x-powered-by");
  expect(headers).to.not.have.property("set-cookie");
}

/** Asserts a 200 with all its headers. @returns its record. */
export function expectRecord(answer: HttpResponse) {
  expect(answer.status, answer.text).to.equal(200);
  expectCommonHeaders(answer.headers);
  expect(answer.headers["content-type"]).to.match(/^application\/json(; charset=utf-8)?$/);
  expect(answer.headers["cache-control"]).to.equal("private, max-age=300");
  expect(varyOf(answer)).to.have.members(["origin", "authorization", "x-api-key"]);
  const { limit, remaining } = limitHeaders(answer);
  expect(remaining).to.be.below(limit);
  expect(answer.json).to.be.an("object");
  return answer.json;
}

/** The names in Vary, lower case. */
export function varyOf(answer: HttpResponse): string[] {
  return namesIn(answer.headers.vary);
}

/** Asserts an error answer: status, body's shape, docs link, CORS and caching headers. @returns its message. */
export function expectError(answer: HttpResponse, code: ErrorCode, deployment: Pick<Deployment, "docsUrl">): string {
  expect(answer.status, answer.text).to.equal(STATUSES[code]);
  return expectErrorParts(answer.headers, answer.text, code, deployment);
}

/** Like expectError for a request below HTTP, whose connection the server then closes. @returns its message. */
export function expectRawError(answer: RawAnswer, code: ErrorCode, deployment: Pick<Deployment, "docsUrl">): string {
  expect(answer.status, answer.whole).to.equal(STATUSES[code]);
  expect(answer.headers.connection?.toLowerCase()).to.equal("close");
  expect(Number(answer.headers["content-length"])).to.equal(Buffer.byteLength(answer.body));
  // The request was unreadable, which counts as an unknown endpoint.
  expect(departures({ path: "/elsewhere" }, { ...answer, text: answer.body })).to.deep.equal([]);
  return expectErrorParts(answer.headers, answer.body, code, deployment);
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
