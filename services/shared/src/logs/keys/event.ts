import type { KeyEvent } from "../../domain/key-event.ts";

type Check = (value: unknown) => boolean;
type Fields = Readonly<Record<string, Check>>;

const isText: Check = (value) => typeof value === "string";
const isName: Check = (value) => typeof value === "string" && value !== "";
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
const SHA256 = /^[0-9a-f]{64}$/;

/** By hand, not by a schema library: a start reads a million of them. */
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
  },
  KeyPlanChanged: { plan: isText },
  KeyOriginsChanged: { origins: isTexts },
  KeyLabelChanged: { label: isText },
  KeyRevoked: { reason: isText },
};

/**
 * Checks what a log holds as an event. A field too many is an error too: only a newer version
 * knows what it means.
 * @throws Error saying which field is wrong, without showing what it holds.
 */
export function parseKeyEvent(value: unknown): KeyEvent {
  if (typeof value !== "object" || value === null) throw new Error("not a key event: it is no object");
  checkFields(value, ENVELOPE, "");
  const event = value as KeyEvent;
  if (!Object.hasOwn(DATA, event.type)) throw new Error("not a key event: type: this version does not know it");
  checkFields(event.data, DATA[event.type], "data.");
  return event;
}

function checkFields(value: object, fields: Fields, prefix: string): void {
  for (const name in fields)
    if (!fields[name]?.((value as Record<string, unknown>)[name]))
      throw new Error(`not a key event: ${prefix}${name}: it is missing or of a wrong form`);
  for (const name in value)
    if (!Object.hasOwn(fields, name))
      throw new Error(
        `not a key event: ${prefix === "" ? "" : "data: "}it has a field that this version does not know`,
      );
}
