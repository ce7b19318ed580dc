import { CLUSTER_ID, customerEventId, type KeyEvent, PLANS_ID } from "../../domain/key-event.ts";
import { isMonth } from "../../domain/period.ts";
import { plansHash, readPlanEntries } from "../../domain/plans.ts";

type Check = (value: unknown) => boolean;
type Fields = Readonly<Record<string, Check>>;

const isText: Check = (value) => typeof value === "string";
const isName: Check = (value) => typeof value === "string" && value !== "";
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
const SHA256 = /^[0-9a-f]{64}$/;

const isTime: Check = (value) => typeof value === "string" && !Number.isNaN(Date.parse(value));
const isMonthName: Check = (value) => typeof value === "string" && isMonth(value);
const isSha256: Check = (value) => typeof value === "string" && SHA256.test(value);
const isQuota: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isMetadata: Check = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.values(value).every(isText);
const isSuccessor: Check = (value) => {
  if (typeof value !== "object" || value === null || Object.keys(value).length !== 3) return false;
  const { keyId, keySha256, display } = value as Record<string, unknown>;
  return isName(keyId) && isSha256(keySha256) && isText(display);
};
const orAbsent =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);

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
const CUSTOMER_PREFIX = customerEventId("");
const CUSTOMER: Fields = { name: isText, plan: isText, monthlyRequests: orAbsent(isQuota) };
const DATA: Readonly<Record<KeyEvent["type"], Fields>> = {
  KeyIssued: {
    kind: (value) => value === "publishable" || value === "secret",
    plan: isText,
    label: isText,
    origins: isTexts,
    keySha256: isSha256,
    display: isText,
    // Only set if true, so that other keys' events remain readable to version 0.1.
    mayForward: orAbsent((value) => value === true),
    expiresAt: orAbsent(isTime),
    customer: orAbsent(isName),
    metadata: orAbsent(isMetadata),
  },
  KeyRotated: { successor: isSuccessor, endsAt: isTime },
  KeyExpiryChanged: { expiresAt: orNull(isTime) },
  KeyDisabled: { reason: isText },
  KeyEnabled: {},
  KeyCustomerChanged: { customer: orNull(isName), from: isMonthName },
  KeyMetadataChanged: { metadata: isMetadata },
  KeyPlanChanged: { plan: isText },
  KeyOriginsChanged: { origins: isTexts },
  KeyLabelChanged: { label: isText },
  KeyRevoked: { reason: isText },
  CustomerAdded: CUSTOMER,
  CustomerChanged: CUSTOMER,
  CustomerDisabled: { reason: isText },
  CustomerEnabled: {},
  UpgradeFinished: { version: isName },
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
  if (
    (event.type === "PlansChanged") !== (event.keyId === PLANS_ID) ||
    (event.type === "UpgradeFinished") !== (event.keyId === CLUSTER_ID) ||
    event.type.startsWith("Customer") !== event.keyId.startsWith(CUSTOMER_PREFIX)
  )
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
