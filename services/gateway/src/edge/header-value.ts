import type { FieldName } from "@geolookup/shared/domain/record.ts";
import type { EdgePreset } from "./header-presets.ts";

const CONTROL_CHARACTERS = /[\p{Cc}\u2028\u2029]+/gu;
/** ISO 3166-1 reserves it for users; Cloudflare also sends it. */
const UNKNOWN_COUNTRY = "XX";
const UNKNOWN = "-";

/**
 * The value of a field in a header: never empty, and without control characters. `geo` percent-encodes UTF-8, so that
 * `decodeURIComponent` returns the text. `cloudflare` has its bytes as they are, as a string with one character per byte,
 * which is how Node writes headers.
 */
export function headerValue(preset: EdgePreset, field: FieldName, value: unknown): string {
  const text = textOf(value).toWellFormed().replace(CONTROL_CHARACTERS, " ").trim();
  if (text === "") return field === "country" ? UNKNOWN_COUNTRY : UNKNOWN;
  return preset === "geo" ? encodeURI(text) : Buffer.from(text, "utf8").toString("latin1");
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return Array.isArray(value) ? value.join(",") : String(value);
}
