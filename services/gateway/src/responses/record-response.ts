import { RECORD_CACHE_CONTROL } from "@geolookup/shared/domain/catalog.ts";
import { isPartial } from "@geolookup/shared/domain/partial.ts";
import type { GeoRecord, PlanFields } from "@geolookup/shared/domain/record.ts";
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
  /** Whether the record is partial for the plan, regardless of `fields`. */
  isPartial: boolean;
}

/**
 * Responds with 200 and the record's JSON. HEAD gets only the headers (Node drops the body).
 * @param about.notice what the caller should know about the record, or null.
 * @param about.accuracy the accuracy of the location and the age of its data; empty if they are unknown.
 * @param about.variesByForwardedFor whether the record depends on X-Forwarded-For.
 */
export function sendRecord(
  res: ResponseWriter,
  { text, bytes }: Pick<RecordBody, "text" | "bytes">,
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

/**
 * The record's JSON: the plan's fields, narrowed to the requested ones, in the contract's order (2.1).
 * @param ip canonical.
 */
export function recordBody(
  ip: string,
  record: RecordText,
  fields: PlanFields,
  requested: ReadonlySet<string> | null,
): RecordBody {
  const { members, free } = record;
  const granted = fields === "free" ? free : `"ip":"${ip}",${members}`;
  if (requested !== null || typeof fields !== "string") return narrowed(granted, record, fields, requested);
  const partial = fields === "paid" ? record.partialPaid : record.partialFree;
  const text = partial ? `{${granted},"partial":true}` : `{${granted}}`;
  // Everything around the members is ASCII.
  const more = fields === "paid" ? record.memberBytes - members.length : record.freeBytes - free.length;
  return { text, bytes: text.length + more, isPartial: partial };
}

/** The record with the fields of a list, or those that are requested. */
function narrowed(
  granted: string,
  record: RecordText,
  fields: PlanFields,
  requested: ReadonlySet<string> | null,
): RecordBody {
  const all = JSON.parse(`{${granted}}`) as GeoRecord;
  const isList = typeof fields !== "string";
  const partial = isList ? isPartial(all, fields) : fields === "paid" ? record.partialPaid : record.partialFree;
  const kept = Object.entries(all).filter(
    ([name]) => (requested?.has(name) ?? true) && (!isList || fields.some((field) => field === name)),
  );
  const text = JSON.stringify(Object.fromEntries(partial ? [...kept, ["partial", true]] : kept));
  return { text, bytes: Buffer.byteLength(text), isPartial: partial };
}
