import { isDeepStrictEqual } from "node:util";
import { createIssuedKeys } from "@geolookup/auth/keys/issued-keys.ts";
import {
  CLUSTER_ID,
  type CustomerChanged,
  customerEventId,
  type KeyChanged,
  type KeyEvent,
  PLANS_ID,
} from "@geolookup/shared/domain/key-event.ts";
import { plansHash } from "@geolookup/shared/domain/plans.ts";
import { checkedLine, isCheckedLine } from "@geolookup/shared/logs/files/log-file.ts";
import { decodeKeyLogLine, encodeKeyLogLine } from "@geolookup/shared/logs/keys/file/key-log-file.ts";
import { decodeKeyMessage, encodeKeyMessage } from "@geolookup/shared/logs/keys/jetstream/stream.ts";
import fc from "fast-check";
import type { FuzzSubject } from "../fuzz.ts";
import { mutated } from "../mutations.ts";

const AT = "2026-01-01T00:00:00.000Z";
const SECRET = "SECRETLABEL";
const event = { id: "e1", keyId: "key_000000000000", at: AT, by: "fuzz" } as const;
const issued = { kind: "secret", plan: "paid", label: SECRET, origins: ["https://a.example"] } as const;
const SUCCESSOR = { keyId: "key_111111111111", keySha256: "b".repeat(64), display: "geo_sk_…" };
/** The events of a key, from issue to revocation. */
const GOOD_KEY_EVENTS: readonly KeyChanged[] = [
  {
    ...{ ...event, type: "KeyIssued", version: 1 },
    data: {
      ...{ ...issued, origins: [...issued.origins], keySha256: "a".repeat(64), display: "geo_sk_…" },
      ...{ expiresAt: AT, customer: "acme", metadata: { name: SECRET } },
    },
  },
  { ...event, type: "KeyPlanChanged", version: 2, data: { plan: "free" } },
  { ...event, type: "KeyOriginsChanged", version: 3, data: { origins: [] } },
  { ...event, type: "KeyLabelChanged", version: 4, data: { label: SECRET } },
  { ...event, type: "KeyExpiryChanged", version: 5, data: { expiresAt: null } },
  { ...event, type: "KeyDisabled", version: 6, data: { reason: SECRET } },
  { ...event, type: "KeyEnabled", version: 7, data: {} },
  { ...event, type: "KeyCustomerChanged", version: 8, data: { customer: null, from: "2026-02" } },
  { ...event, type: "KeyMetadataChanged", version: 9, data: { metadata: {} } },
  { ...event, type: "KeyRotated", version: 10, data: { successor: SUCCESSOR, endsAt: AT } },
  { ...event, type: "KeyRevoked", version: 11, data: { reason: "" } },
];
const PLANS = { free: { fields: "free", monthlyRequests: 5 } } as const;
const PLANS_CHANGED: KeyEvent = {
  ...{ ...event, type: "PlansChanged", keyId: PLANS_ID, version: 1 },
  data: { plans: PLANS, hash: plansHash(new Map(Object.entries(PLANS))) },
};
const customer = { ...event, keyId: customerEventId("acme") };
const CUSTOMER_EVENTS: readonly CustomerChanged[] = [
  { ...customer, type: "CustomerAdded", version: 1, data: { name: SECRET, plan: "free" } },
  { ...customer, type: "CustomerChanged", version: 2, data: { name: "", plan: "paid", monthlyRequests: 5 } },
  { ...customer, type: "CustomerDisabled", version: 3, data: { reason: SECRET } },
  { ...customer, type: "CustomerEnabled", version: 4, data: {} },
];
const FINISHED: KeyEvent = {
  ...{ ...event, type: "UpgradeFinished", keyId: CLUSTER_ID, version: 1 },
  data: { version: "0.3.0" },
};
/** Those of a cluster that has used all of it. */
export const GOOD_LOG: readonly KeyEvent[] = [
  FINISHED,
  ...CUSTOMER_EVENTS,
  ...GOOD_KEY_EVENTS,
  { ...event, type: "KeyLabelChanged", keyId: SUCCESSOR.keyId, version: 2, data: { label: SECRET } },
];
const SUBJECT = `keys.${event.keyId}`;
const TOKENS = [
  '"__proto__":{"a":1}',
  '"constructor"',
  "null",
  "1e999",
  "[[[[",
  '"sequence":-1',
  "KeyRevoked",
  "\\ud800",
];

/** A line of the key log's file or a message of its stream is refused without showing its content, or read as it was written. */
export function openKeyLog(corpus: readonly Uint8Array[]): FuzzSubject {
  const lines = [...GOOD_LOG, PLANS_CHANGED].map((each, index) =>
    Buffer.from(encodeKeyLogLine(index + 1, each).trimEnd()),
  );
  const bodies = lines.map((line) => line.subarray(line.indexOf(",") + 1));
  const messages = GOOD_KEY_EVENTS.map((each) => Buffer.from(encodeKeyMessage(each)));
  return {
    inputs: fc.oneof(
      mutated([...lines, ...messages, ...corpus], TOKENS),
      // With a valid checksum: edited manually, not damaged by a crash.
      mutated(bodies, TOKENS).map((body) => Buffer.from(checkedLine(Buffer.from(body).toString()))),
    ),
    check(input) {
      const bytes = Buffer.from(input);
      const line = readOrNull(() => decodeKeyLogLine(bytes));
      if (line !== null) {
        if (!isCheckedLine(bytes)) throw new Error("a line with a wrong checksum is read");
        const again = decodeKeyLogLine(Buffer.from(encodeKeyLogLine(line.sequence, line.event).trimEnd()));
        if (!isDeepStrictEqual(again, line)) throw new Error("a line differs after reading and writing it");
        fold(line.event);
      }
      const message = readOrNull(() => decodeKeyMessage({ subject: SUBJECT, data: bytes }));
      if (message === null) return;
      const data = Buffer.from(encodeKeyMessage(message));
      if (!isDeepStrictEqual(decodeKeyMessage({ subject: SUBJECT, data }), message))
        throw new Error("a message differs after reading and writing it");
      fold(message);
    },
  };
}

/** The registry applies each event that was read, or reports it as out of order. */
function fold(last: KeyEvent): void {
  const keys = createIssuedKeys();
  const isFirst = last.type === "KeyIssued" || last.type === "CustomerAdded";
  for (const each of isFirst ? [] : [...GOOD_KEY_EVENTS.slice(0, 1), ...CUSTOMER_EVENTS.slice(0, 1)]) keys.apply(each);
  if (last.type !== "PlansChanged" && last.type !== "UpgradeFinished") keys.apply(last);
}

/** @throws any error that isn't a refusal. */
function readOrNull<Result>(read: () => Result): Result | null {
  try {
    return read();
  } catch (error) {
    const { message } = error as Error;
    if ((error as Error).constructor !== Error) throw error;
    if (message.includes(SECRET)) throw new Error(`an error shows content: ${message}`, { cause: error });
    return null;
  }
}
