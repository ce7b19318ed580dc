import type { Grant } from "@geolookup/shared/domain/authorize.ts";
import { FIELDS, grantedFields, type PlanFields } from "@geolookup/shared/domain/record.ts";
import type { Caller } from "@geolookup/shared/runtime/http/client-address.ts";
import type { RequestHead } from "./exchange.ts";
import type { ForwardedVisitor } from "./forwarded-visitor.ts";
import type { SuppliedKey } from "./key-slots.ts";

/** Limits of the header, and of how much of a query is read for it. */
export const MAX_NOTICE_LENGTH = 200;
const MAX_PARAMETERS = 20;
const MAX_PARAMETER_LENGTH = 20;

const NOT_FORWARDED =
  "X-Forwarded-For is ignored: this key can't look up visitors, so this is the sender's own location";
const WITHOUT_BEARER = 'Authorization is ignored: a key must follow the word "Bearer"';

/** A key, or one in Base64, after another scheme or none. */
const KEY_WITHOUT_BEARER = /^(?:\S+[ \t]+)?(?:geo_[ps]k_|Z2VvX3[NB])/;

/** Parameters of other services that have no effect here, by what to do instead. */
const PARAMETERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "a lookup is for the caller's own address": "ip ips ipaddress ip_address ip-address address addr",
    'send the key as "key"':
      "key apikey api_key api-key access_key accesskey access_token token auth auth_token appid app_id",
    'choose fields with "fields"': "fields field filter include select",
    "names are in English": "lang language locale",
    "responses are JSON": "format output callback",
  }).flatMap(([advice, names]) => names.split(" ").map((name) => [name, advice] as const)),
);

/**
 * Says which parts of a request were ignored although the caller probably counts on them.
 * @param visitor of a key that can look up visitors; null for others.
 * @returns at most 200 characters of printable ASCII, without an address; null if there is nothing to say.
 */
export function ignoredParts(
  { url = "", headers }: RequestHead,
  caller: Caller,
  supplied: SuppliedKey,
  grant: Grant | null,
  visitor: ForwardedVisitor | null,
): string | null {
  let notice = visitor === null ? caller.notice : visitor.notice;
  if (
    grant?.kind === "secret" &&
    visitor === null &&
    notice === null &&
    headers["x-forwarded-for"] &&
    caller.unreadEnd >= 0
  )
    notice = NOT_FORWARDED;
  if (headers.authorization !== undefined && supplied.kind === "none" && KEY_WITHOUT_BEARER.test(headers.authorization))
    notice = joined(notice, WITHOUT_BEARER);
  const query = url.indexOf("?") + 1;
  const hasOnlyKey =
    supplied.kind === "key" && supplied.slot === "query" && url.length === query + "key=".length + supplied.key.length;
  return query === 0 || hasOnlyKey ? notice : ignoredParameters(url, query, notice);
}

function ignoredParameters(url: string, start: number, before: string | null): string | null {
  let notice = before;
  for (let at = start, count = 0; at < url.length && count < MAX_PARAMETERS; count += 1) {
    const next = url.indexOf("&", at);
    const end = next === -1 ? url.length : next;
    if (!url.startsWith("key=", at) && !url.startsWith("fields=", at)) {
      const [name = ""] = url.slice(at, Math.min(end, at + MAX_PARAMETER_LENGTH)).split("=", 1);
      const known = name.toLowerCase();
      const advice = name === "key" || name === "fields" ? undefined : PARAMETERS.get(known);
      if (advice !== undefined) notice = joined(notice, `query parameter "${name}" is ignored: ${advice}`);
    }
    at = end + 1;
  }
  return notice;
}

/** Adds a note if both fit into the header. */
export function joined(notice: string | null, note: string): string {
  const longer = notice === null ? note : `${notice}; ${note}`;
  return notice !== null && longer.length > MAX_NOTICE_LENGTH ? notice : longer;
}

/** Limits of the number of names, and the characters of each once encoded. */
const MAX_NAMES = 3;
const MAX_NAME_LENGTH = 40;

/** Every plan has it, so it is never reported. */
const PARTIAL = "partial";

const KNOWN: ReadonlySet<string> = new Set(FIELDS);

/**
 * Says which names in `fields` return nothing, and why: they are unknown, or not in the plan. The body just lacks them.
 * @param plan the key's plan; undefined without a key.
 * @param before another notice, which comes first; null without one.
 * @returns the value of `X-Geolookup-Notice`, at most 200 bytes of printable ASCII; null if there is nothing to say.
 */
export function fieldsNotice(
  requested: ReadonlySet<string>,
  fields: PlanFields,
  plan: string | undefined,
  before: string | null = null,
): string | null {
  let notice = before;
  const granted: readonly string[] = grantedFields(fields);
  let named = 0;
  for (const name of requested) {
    if (name === PARTIAL || granted.includes(name)) continue;
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
