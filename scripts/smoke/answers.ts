import type { Answer, Sent } from "./ask.ts";
import { holds, same } from "./point.ts";

type Json = Record<string, unknown>;

/** The error codes with their statuses (contract, section 7); written out here, not taken from the code under test. */
export const STATUSES = {
  missing_key: 401,
  malformed_key: 401,
  bad_signature: 401,
  unknown_key: 401,
  revoked_key: 401,
  origin_not_allowed: 403,
  rate_limited: 429,
  quota_exceeded: 429,
  not_found: 404,
} as const;

/** A request with a key in the query string. */
export const withKey = (key: string, more = ""): Sent => ({ path: `/v1/geo?key=${encodeURIComponent(key)}${more}` });

/** A 200 with a record (contract 4.1). @returns the record. @throws Error */
export function recordOf(answer: Answer): Json {
  holds(answer.status === 200, `the status is ${answer.status}, not 200: ${messageOf(answer)}`);
  const { json } = answer;
  holds(typeof json === "object" && json !== null && !Array.isArray(json), "the body isn't a JSON object");
  same("Cache-Control", answer.headers["cache-control"], "private, max-age=300");
  expectCors(answer);
  limitsOf(answer);
  return json as Json;
}

/** An error answer with its code, status, shape, link and CORS headers (contract 7). @returns message and link. @throws Error */
export function errorOf(answer: Answer, code: keyof typeof STATUSES): { message: string; docs: string } {
  const { error, ...rest } = (answer.json ?? {}) as { error?: Json };
  same("the error's code", error?.code, code);
  same("the status", answer.status, STATUSES[code]);
  same("what is beside `error`", rest, {});
  const { message, docs } = error ?? {};
  holds(typeof message === "string" && message.length > 20, "error.message says nothing");
  holds(typeof docs === "string" && docs.endsWith(`/errors/${code}`), `error.docs is ${JSON.stringify(docs)}`);
  expectCors(answer);
  return { message: String(message), docs: String(docs) };
}

/** The three headers of a limit as numbers (contract 8). @throws Error */
export function limitsOf({ headers }: Answer): { limit: number; remaining: number; resetUnixSeconds: number } {
  const numberIn = (name: string) => {
    const text = headers[name.toLowerCase()];
    holds(typeof text === "string" && /^\d+$/.test(text), `${name} is ${JSON.stringify(text)}, not a whole number`);
    return Number(text);
  };
  return {
    limit: numberIn("X-RateLimit-Limit"),
    remaining: numberIn("X-RateLimit-Remaining"),
    resetUnixSeconds: numberIn("X-RateLimit-Reset"),
  };
}

/** @throws Error when a page of another origin could not read the answer. */
export function expectCors({ headers }: Answer): void {
  same("Access-Control-Allow-Origin", headers["access-control-allow-origin"], "*");
}

function messageOf({ json, text }: Answer): string {
  const { error } = (json ?? {}) as { error?: Json };
  return error ? `${error.code}: ${error.message}` : text.slice(0, 200);
}
