import { type KeyEvent, PLANS_ID } from "../../domain/key-event.ts";
import { plansHash, readPlanEntries } from "../../domain/plans.ts";

type Check = (value: unknown) => boolean;
type Fields = Readonly<Record<string, Check>>;

const isText: Check = (value) => typeof value === "string";
const isName: Check = (value) => typeof value === "string" && value !== "";
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
const SHA256 = /^[0-9a-f]{64}$/;

const isPlans: Check = (value) => hashOf(value) !== null;

/** Checked without a schema library, for speed: a million events may be read at startup. */
const ENVELOPE: Fields = {
  id: isName,
  type: isName,
  keyId: isName,
  version: (value) => Number.isSafeInteger(value) && (value as number) > 0,
  at: isText,
  by: isText,
  data: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};
const DATA: Readonly<Record<KeyEvent["type"], Fields>> = {
  KeyIssued: {
    kind: (value) => value === "publishable" || value === "secret",
    plan: isText,
    label: isText,
    origins: isTexts,
    keySha256: (value) => typeof value === "string" && SHA256.test(value),
    display: isText,
    // Only set if true, so that other keys' events remain readable to version 0.1.
    mayForward: (value) => value === undefined || value === true,
  },
  KeyPlanChanged: { plan: isText },
  KeyOriginsChanged: { origins: isTexts },
  KeyLabelChanged: { label: isText },
  KeyRevoked: { reason: isText },
  PlansChanged: { plans: isPlans, hash: isName },
};

/**
 * Checks that a value is a valid event. An unknown field is an error too: only a newer version
 * knows what it means.
 * @throws Error naming the invalid field, without its content.
 */
export function parseKeyEvent(value: unknown): KeyEvent {
  if (typeof value !== "object" || value === null) throw new Error("not a key event: not an object");
  checkFields(value, ENVELOPE, "");
  const event = value as KeyEvent;
  if (!Object.hasOwn(DATA, event.type)) throw new Error("not a key event: type: unknown to this version");
  checkFields(event.data, DATA[event.type], "data.");
  if ((event.type === "PlansChanged") !== (event.keyId === PLANS_ID))
    throw new Error("not a key event: keyId: invalid");
  if (event.type === "PlansChanged" && event.data.hash !== hashOf(event.data.plans))
    throw new Error("not a key event: data.hash: it isn't that of the plans");
  return event;
}

function hashOf(entries: unknown): string | null {
  const read = readPlanEntries(entries);
  return "plans" in read ? plansHash(read.plans) : null;
}

function checkFields(value: object, fields: Fields, prefix: string): void {
  for (const name in fields)
    if (!fields[name]?.((value as Record<string, unknown>)[name]))
      throw new Error(`not a key event: ${prefix}${name}: missing or invalid`);
  for (const name in value)
    if (!Object.hasOwn(fields, name))
      throw new Error(`not a key event: ${prefix === "" ? "" : "data: "}it has a field that this version doesn't know`);
}
