import { parseAllowlistEntry } from "@geolookup/shared/domain/origin.ts";

/** An operator's input in normal form, or the problem with it, for the operator. */
export type Reading<Value> = { value: Value } | { problem: string };

const MAX_TEXT_LENGTH = 200;
const MAX_ORIGINS = 100;
/**
 * Control characters, line breaks, and invisible characters that can reverse text in lists and terminals (Unicode's Cf).
 * The two joiners are allowed: emoji, Persian and Hindi need them.
 */
const FORBIDDEN = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u;

/** The name of an existing plan. */
export function readPlan(text: string, planNames: readonly string[]): Reading<string> {
  if (planNames.includes(text)) return { value: text };
  const named = text === "" ? "the plan is missing" : `the plan ${JSON.stringify(text.slice(0, 50))} doesn't exist`;
  return { problem: `${named}; the plans are ${planNames.join(", ")}` };
}

/** A key's label: up to 200 characters without control and invisible characters, trimmed. */
export function readLabel(text: string): Reading<string> {
  return readText("label", text);
}

/** The reason for revoking a key. The rules are those of a label. */
export function readReason(text: string): Reading<string> {
  return readText("reason", text);
}

/** An origin allowlist: up to 100 entries in normal form, without duplicates. The problem names every invalid entry. */
export function readOrigins(texts: readonly string[]): Reading<string[]> {
  if (texts.length > MAX_ORIGINS)
    return { problem: `an allowlist can have at most ${MAX_ORIGINS} origins, not ${texts.length}` };
  const entries = new Set<string>();
  const reasons: string[] = [];
  for (const text of texts) {
    const parsed = parseAllowlistEntry(text);
    if ("entry" in parsed) entries.add(parsed.entry);
    else reasons.push(parsed.reason);
  }
  return reasons.length === 0 ? { value: [...entries] } : { problem: reasons.join("; ") };
}

function readText(name: string, text: string): Reading<string> {
  const value = text.trim();
  if ([...value].length > MAX_TEXT_LENGTH)
    return { problem: `the ${name} is longer than ${MAX_TEXT_LENGTH} characters` };
  if (FORBIDDEN.test(value)) return { problem: `the ${name} must be one line without control or invisible characters` };
  return { value };
}
