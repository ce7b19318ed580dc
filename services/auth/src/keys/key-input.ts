import { parseAllowlistEntry } from "@geolookup/shared/domain/origin.ts";

/** What an operator typed, in normal form; or what is wrong with it, as a sentence for the operator. */
export type Reading<Value> = { value: Value } | { problem: string };

const MAX_TEXT_LENGTH = 200;
const MAX_ORIGINS = 100;
/**
 * Control characters, line ends, and what is invisible and may turn a text around in lists and terminals (Unicode's Cf).
 * The two joiners stay: emoji, and scripts such as Persian's and Hindi's, are written with them.
 */
const UNFIT = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u;

/** A plan's name; it must be one of the plans there are. */
export function readPlan(text: string, planNames: readonly string[]): Reading<string> {
  if (planNames.includes(text)) return { value: text };
  const named = text === "" ? "no plan was named" : `there is no plan ${JSON.stringify(text.slice(0, 50))}`;
  return { problem: `${named}; the plans are ${planNames.join(", ")}` };
}

/** A key's label: up to 200 characters, none of them a control or an invisible format character; blanks around it are dropped. */
export function readLabel(text: string): Reading<string> {
  return readText("label", text);
}

/** Why a key is revoked: the same rules as a label's. */
export function readReason(text: string): Reading<string> {
  return readText("reason", text);
}

/** An origin allowlist: up to 100 entries, in normal form, repeated ones dropped. Every bad entry is named. */
export function readOrigins(texts: readonly string[]): Reading<string[]> {
  if (texts.length > MAX_ORIGINS)
    return { problem: `an allowlist holds at most ${MAX_ORIGINS} origins; these are ${texts.length}` };
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
  if (UNFIT.test(value))
    return { problem: `the ${name} must be one line without control characters, invisible ones among them` };
  return { value };
}
