import type { FieldSet } from "@geolookup/shared/domain/record.ts";
import type { RecordText } from "@geolookup/shared/domain/record-text.ts";
import type { ResponseWriter } from "../request/exchange.ts";
import { CORS_HEADERS } from "./cors.ts";
import { type Allowance, rateLimitLines } from "./rate-limit-headers.ts";
import { headerLines, sendPrepared } from "./send-prepared.ts";

const VARY = "Origin, Authorization, X-API-Key";
const RECORD_LINES = recordLines(VARY);
/** A cache must not give one visitor's record to another. */
const FORWARDED_RECORD_LINES = recordLines(`${VARY}, X-Forwarded-For`);

/**
 * Responds with 200 and the record's JSON. HEAD gets only the headers (Node drops the body).
 * @param about.notice what the caller should know about the record, or null.
 * @param about.variesByForwardedFor whether the record depends on X-Forwarded-For.
 */
export function sendRecord(
  res: ResponseWriter,
  body: string,
  allowance: Allowance,
  { notice, variesByForwardedFor }: { notice: string | null; variesByForwardedFor: boolean },
): void {
  const fixed = variesByForwardedFor ? FORWARDED_RECORD_LINES : RECORD_LINES;
  const length = Buffer.byteLength(body);
  const own = `${rateLimitLines(allowance)}Content-Length: ${length}\r\n`;
  const aboutRecord = notice === null ? "" : `X-Geolookup-Notice: ${notice}\r\n`;
  sendPrepared(res, fixed + own + aboutRecord, body, length === body.length ? "latin1" : "utf8");
}

function recordLines(vary: string): string {
  const caching = { "Cache-Control": "private, max-age=300", Vary: vary };
  return headerLines({ ...CORS_HEADERS, "Content-Type": "application/json; charset=utf-8", ...caching });
}

/** Whether the record is partial for the field set, regardless of `fields`. Computed once per record (domain/partial.ts). */
export function partialFlag(record: RecordText, fieldSet: FieldSet): boolean {
  return fieldSet === "paid" ? record.partialPaid : record.partialFree;
}

/**
 * The record's JSON: the plan's fields, narrowed to the requested ones, in the contract's order (2.1).
 * @param ip canonical.
 */
export function recordBody(
  ip: string,
  record: RecordText,
  fieldSet: FieldSet,
  requested: ReadonlySet<string> | null,
): string {
  const { members, free } = record;
  const granted = fieldSet === "paid" ? `"ip":"${ip}",${members}` : free;
  const partial = partialFlag(record, fieldSet);
  if (requested !== null) return narrow(granted, requested, partial);
  return partial ? `{${granted},"partial":true}` : `{${granted}}`;
}

function narrow(granted: string, requested: ReadonlySet<string>, partial: boolean): string {
  const all = Object.entries(JSON.parse(`{${granted}}`));
  const narrowed = Object.fromEntries(all.filter(([name]) => requested.has(name)));
  return JSON.stringify(partial ? { ...narrowed, partial } : narrowed);
}
