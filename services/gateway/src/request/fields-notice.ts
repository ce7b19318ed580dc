import type { FieldSet } from "@geolookup/shared/domain/catalog.ts";
import { FIELDS, FIELDS_OF } from "@geolookup/shared/domain/record.ts";
import { MAX_NOTICE_LENGTH } from "./ignored-parts.ts";

/** Limits of the number of names, and the characters of each once encoded. */
const MAX_NAMES = 3;
const MAX_NAME_LENGTH = 40;

/** Every plan has it, so it is never reported. */
const PARTIAL = "partial";

const KNOWN: ReadonlySet<string> = new Set([...FIELDS, PARTIAL]);
const GRANTED: Readonly<Record<FieldSet, ReadonlySet<string>>> = {
  free: new Set([...FIELDS_OF.free, PARTIAL]),
  paid: KNOWN,
};

/**
 * Says which names in `fields` return nothing, and why: they are unknown, or not in the plan. The body just lacks them.
 * @param plan the key's plan; undefined without a key.
 * @param before another notice, which comes first; null without one.
 * @returns the value of `X-Geolookup-Notice`, at most 200 bytes of printable ASCII; null if there is nothing to say.
 */
export function fieldsNotice(
  requested: ReadonlySet<string>,
  fieldSet: FieldSet,
  plan: string | undefined,
  before: string | null = null,
): string | null {
  let notice = before;
  let named = 0;
  for (const name of requested) {
    if (GRANTED[fieldSet].has(name)) continue;
    const note = KNOWN.has(name) ? `"${name}" is not in ${planText(plan)}` : `unknown field "${encode(name)}"`;
    const longer = notice === null ? note : `${notice}; ${note}`;
    if (longer.length > MAX_NOTICE_LENGTH) break;
    notice = longer;
    named += 1;
    if (named === MAX_NAMES) break;
  }
  return notice;
}

function planText(plan: string | undefined): string {
  return plan === undefined ? "the free tier" : `plan "${plan}"`;
}

/** Percent-encodes everything but printable ASCII, and the characters that would make the result ambiguous. */
function encode(name: string): string {
  let encoded = "";
  for (const character of name) {
    const next = /[ !#$&-[\]-~]/.test(character) ? character : percentEncode(character);
    if (encoded.length + next.length > MAX_NAME_LENGTH) return `${encoded}...`;
    encoded += next;
  }
  return encoded;
}

function percentEncode(character: string): string {
  return Buffer.from(character).toString("hex").toUpperCase().replace(/../g, "%$&");
}
