import { type FieldSet, RECORD_CACHE_CONTROL } from "@geolookup/shared/domain/catalog.ts";
import type { RecordText } from "@geolookup/shared/domain/record-text.ts";
import type { ResponseWriter } from "../request/exchange.ts";
import { type Allowance, CORS_HEADERS, rateLimitHeaders } from "./headers.ts";

const VARY = "Origin, Authorization, X-API-Key";
const RECORD_HEADERS = {
  ...CORS_HEADERS,
  "Content-Type": "application/json; charset=utf-8",
  "Cache-Control": RECORD_CACHE_CONTROL,
  Vary: VARY,
};

/**
 * A response's JSON, with its length in UTF-8. Unless `fields` narrows it, the length is derived from the record's, so that the text isn't
 * scanned for each request.
 */
export interface RecordBody {
  text: string;
  bytes: number;
}

/**
 * Responds with 200 and the record's JSON. HEAD gets only the headers (Node drops the body).
 * @param about.notice what the caller should know about the record, or null.
 * @param about.accuracy the accuracy of the location and the age of its data; empty if they are unknown.
 * @param about.variesByForwardedFor whether the record depends on X-Forwarded-For.
 */
export function sendRecord(
  res: ResponseWriter,
  { text, bytes }: RecordBody,
  allowance: Allowance,
  {
    notice,
    accuracy,
    variesByForwardedFor,
  }: { notice: string | null; accuracy: string; variesByForwardedFor: boolean },
): void {
  const headers: Record<string, string> = {
    ...RECORD_HEADERS,
    ...rateLimitHeaders(allowance),
    "Content-Length": String(bytes),
  };
  // A cache must not give one visitor's record to another.
  if (variesByForwardedFor) headers.Vary = `${VARY}, X-Forwarded-For`;
  if (notice !== null) headers["X-Geolookup-Notice"] = notice;
  if (accuracy !== "") headers["X-Geolookup-Accuracy"] = accuracy;
  // Faster for ASCII, as almost all records are.
  res.writeHead(200, headers).end(text, bytes === text.length ? "latin1" : "utf8");
}

/** Whether the record is partial for the field set, regardless of `fields`. Computed once per record (domain/record.ts). */
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
): RecordBody {
  const { members, free } = record;
  const granted = fieldSet === "paid" ? `"ip":"${ip}",${members}` : free;
  const partial = partialFlag(record, fieldSet);
  if (requested !== null) {
    const narrowed = narrow(granted, requested, partial);
    return { text: narrowed, bytes: Buffer.byteLength(narrowed) };
  }
  const text = partial ? `{${granted},"partial":true}` : `{${granted}}`;
  // Everything around the members is ASCII.
  const more = fieldSet === "paid" ? record.memberBytes - members.length : record.freeBytes - free.length;
  return { text, bytes: text.length + more };
}

function narrow(granted: string, requested: ReadonlySet<string>, partial: boolean): string {
  const all = Object.entries(JSON.parse(`{${granted}}`));
  const narrowed = Object.fromEntries(all.filter(([name]) => requested.has(name)));
  return JSON.stringify(partial ? { ...narrowed, partial } : narrowed);
}
