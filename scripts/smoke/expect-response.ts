import { type ErrorCode, FIELD_TYPES, STATUSES } from "./contract.ts";
import type { SmokeKeys } from "./keys.ts";
import type { Expectation } from "./points.ts";
import type { Received } from "./send.ts";

type Json = Record<string, unknown>;

/** @throws Error saying what differs. */
export function expectResponse(received: Received, expected: Expectation, keys: SmokeKeys): void {
  if (expected.kind === "preflight") expectPreflight(received);
  else if (expected.kind === "record") {
    const record = expectRecord(received);
    if (expected.fields) expectFields(record, expected.fields);
  } else {
    const { message } = expectError(received, expected.code);
    // Without the text, which may be part of a key.
    for (const text of expected.mentions?.(keys) ?? [])
      ensure(message.includes(text), "the message doesn't name what was refused, and the key");
    if (expected.hides) ensure(!message.includes(expected.hides(keys)), "the message shows the whole key");
  }
}

/** A 200 with a record (contract 4.1), each of its fields of its type or null. @returns the record. @throws Error */
export function expectRecord(received: Received): Json {
  ensure(received.status === 200, `the status is ${received.status}, not 200: ${messageOf(received)}`);
  const { json } = received;
  ensure(typeof json === "object" && json !== null && !Array.isArray(json), "the body isn't a JSON object");
  expectSame("Cache-Control", received.headers["cache-control"], "private, max-age=300");
  expectCors(received);
  limitsOf(received);
  for (const [name, value] of Object.entries(json as Json)) {
    const type = Array.isArray(value) ? "array" : typeof value;
    const expected = FIELD_TYPES[name] ?? type;
    ensure(value === null || type === expected, `${name} is of type ${type}, not ${expected}`);
  }
  return json as Json;
}

/** Compares the fields of a record, besides `partial`. @throws Error */
export function expectFields(record: Json, fields: readonly string[]): void {
  const names = Object.keys(record).filter((name) => name !== "partial");
  expectSame("the fields", names.sort(), [...fields].sort());
}

/** An error response: code, status, shape, link and CORS headers (contract 7). @throws Error */
export function expectError(received: Received, code: ErrorCode): { message: string; docs: string } {
  const { error, ...rest } = (received.json ?? {}) as { error?: Json };
  expectSame("the error's code", error?.code, code);
  expectSame("the status", received.status, STATUSES[code]);
  expectSame("the rest beside `error`", rest, {});
  const { message, docs } = error ?? {};
  ensure(typeof message === "string" && message.length > 20, "error.message is missing or too short");
  ensure(typeof docs === "string" && docs.endsWith(`/errors/${code}`), `error.docs is ${JSON.stringify(docs)}`);
  expectCors(received);
  return { message: String(message), docs: String(docs) };
}

/** The three headers of a limit as numbers (contract 8). @throws Error */
export function limitsOf({ headers }: Received): { limit: number; remaining: number; resetUnixSeconds: number } {
  const numberIn = (name: string) => {
    const text = headers[name.toLowerCase()];
    ensure(typeof text === "string" && /^\d+$/.test(text), `${name} is ${JSON.stringify(text)}, not a whole number`);
    return Number(text);
  };
  return {
    limit: numberIn("X-RateLimit-Limit"),
    remaining: numberIn("X-RateLimit-Remaining"),
    resetUnixSeconds: numberIn("X-RateLimit-Reset"),
  };
}

/** @throws Error when a value isn't the expected one. */
export function expectSame(what: string, actual: unknown, expected: unknown): void {
  if (JSON.stringify(actual) === JSON.stringify(expected)) return;
  throw new Error(`${what} is ${shown(actual)}, not ${shown(expected)}`);
}

/** @throws Error with this message when the condition doesn't hold. */
export function ensure(condition: boolean, otherwise: string): void {
  if (!condition) throw new Error(otherwise);
}

function expectPreflight(received: Received): void {
  const { status, headers } = received;
  ensure(status >= 200 && status < 300, `the status is ${status}`);
  expectSame("Access-Control-Max-Age", headers["access-control-max-age"], "86400");
  expectCors(received);
  const allowed = String(headers["access-control-allow-headers"]).toLowerCase();
  for (const name of ["authorization", "x-api-key"]) ensure(allowed.includes(name), `${name} isn't allowed`);
}

/** Without this header, pages of other origins can't read the response. */
function expectCors({ headers }: Received): void {
  expectSame("Access-Control-Allow-Origin", headers["access-control-allow-origin"], "*");
}

function messageOf({ json, text }: Received): string {
  const { error } = (json ?? {}) as { error?: Json };
  return error ? `${error.code}: ${error.message}` : text.slice(0, 200);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "absent";
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
