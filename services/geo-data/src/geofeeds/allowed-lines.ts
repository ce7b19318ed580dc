import { LINE_END, splitLine } from "@geolookup/geo/geofeed/line.ts";
import { type Prefix, parsePrefix } from "@geolookup/geo/geofeed/prefix.ts";

/** The part of a geofeed that may be used. */
export interface AllowedLines {
  text: string;
  used: number;
  /** Lines with a valid prefix that isn't allowed. */
  outside: number;
}

/** Keeps only the lines with an allowed prefix: a publisher may only describe its own networks (RFC 9632). */
export function allowedLines(feed: string, allowed: readonly Prefix[]): AllowedLines {
  const lines: string[] = [];
  let outside = 0;
  for (const line of feed.replace(/^\ufeff/, "").split(LINE_END)) {
    const fields = splitLine(line);
    if (fields === null || typeof fields === "string") continue;
    const prefix = parsePrefix(fields.prefix);
    if (typeof prefix === "string") continue;
    if (allowed.some((outer) => contains(outer, prefix))) lines.push(line);
    else outside++;
  }
  return { text: lines.map((line) => `${line}\n`).join(""), used: lines.length, outside };
}

function contains(outer: Prefix, inner: Prefix): boolean {
  if (outer.words.length !== inner.words.length || outer.prefixLength > inner.prefixLength) return false;
  return outer.words.every((word, index) => {
    const compared = Math.min(32, outer.prefixLength - index * 32);
    return compared <= 0 || (word ^ (inner.words[index] as number)) >>> (32 - compared) === 0;
  });
}
