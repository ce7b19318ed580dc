import { join } from "node:path";
import type { IssuedKey } from "@geolookup/auth/keys/issued-key.ts";
import { evolve, NO_KEY } from "@geolookup/auth/keys/key.ts";
import { isKeyChange } from "@geolookup/shared/domain/key-event.ts";
import { decodeAuditMessage } from "@geolookup/shared/logs/audit/jet-stream.ts";
import { decodeKeyMessage, keySubject } from "@geolookup/shared/logs/keys/jetstream/stream.ts";
import { decodeOperatorMessage } from "@geolookup/shared/logs/operators/jet-stream.ts";
import {
  decodeUsageMessage,
  parseNatsMonthSubject,
  parseNatsSubject,
} from "@geolookup/shared/logs/usage/jetstream/message.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { FILES } from "../backup/archive.ts";
import { hashOf, readMessages, type SavedMessage } from "../backup/stream-messages.ts";
import type { CheckedArchive } from "./check-archive.ts";

/** How many problems are listed. */
const MAX_SHOWN = 10;

/** The key events to restore. */
export interface CheckedKeys {
  events: number;
  lastSequence: number;
  lastMessageSha256: string;
}

/** The messages of a backup that may be published. */
export interface CheckedMessages {
  keys: CheckedKeys & { messages(): AsyncIterable<SavedMessage> };
  usage(): AsyncIterable<SavedMessage>;
  months(): AsyncIterable<SavedMessage>;
  operators(): AsyncIterable<SavedMessage>;
  audit(): AsyncIterable<SavedMessage>;
  /** How many messages are left out, and the problems of the first ten. */
  unreadable: { count: number; first: string[] };
}

/** The messages of one stream in an archive. */
interface Part {
  file: string;
  read(): AsyncIterable<SavedMessage>;
  isOwn(subject: string): boolean;
  /** Returns a function that takes the messages in order and returns why one can't be read, or null. */
  validator(): (message: SavedMessage) => string | null;
}

/**
 * Reads every message of an archive: each must have a valid subject of its own stream and content that this version can
 * read, and the events of each key must follow each other.
 * @param leavesOut whether unreadable messages are left out instead of refused. Other subjects are always refused.
 * @throws StartError listing the first ten that may not be published.
 */
export async function checkMessages(
  folder: string,
  { manifest, sums }: CheckedArchive,
  leavesOut: boolean,
): Promise<CheckedMessages> {
  const parts = partsOf(folder, sums);
  const unreadable: CheckedMessages["unreadable"] = { count: 0, first: [] };
  const check = async (part: Part, expected: number) => {
    const problemOf = part.validator();
    const found = { all: 0, good: 0, lastSha256: "" };
    try {
      for await (const message of part.read()) {
        found.all += 1;
        if (!part.isOwn(message.subject))
          throw new Error(`message ${found.all} is for ${JSON.stringify(message.subject.slice(0, 100))}`);
        const problem = problemOf(message);
        if (problem !== null) {
          unreadable.count += 1;
          if (unreadable.first.length < MAX_SHOWN)
            unreadable.first.push(`message ${found.all} of ${part.file}: ${problem}`);
          continue;
        }
        found.good += 1;
        found.lastSha256 = hashOf(message);
      }
      if (found.all !== expected)
        throw new Error(`the manifest says ${expected} messages, but the file has ${found.all}`);
    } catch (error) {
      throw new StartError(`the backup is refused: ${part.file}: ${(error as Error).message}. Nothing was restored`);
    }
    return found;
  };
  const keys = await check(parts.keys, manifest.keys.events);
  await check(parts.usage, manifest.usageMessages);
  await check(parts.months, manifest.monthMessages);
  await check(parts.operators, manifest.operatorMessages ?? 0);
  await check(parts.audit, manifest.auditMessages ?? 0);
  if (unreadable.count > 0 && !leavesOut)
    throw new StartError(
      `the backup has ${unreadable.count} messages that this version cannot read; nothing was restored:\n` +
        `${unreadable.first.map((line) => `  ${line}\n`).join("")}` +
        "Restore it with the version that made it, or leave them out with --leave-out-unreadable",
    );
  return {
    keys: {
      events: keys.good,
      lastSequence: manifest.keys.lastSequence,
      lastMessageSha256: keys.lastSha256,
      messages: () => readable(parts.keys),
    },
    usage: () => readable(parts.usage),
    months: () => readable(parts.months),
    operators: () => readable(parts.operators),
    audit: () => readable(parts.audit),
    unreadable,
  };
}

function partsOf(folder: string, sums: CheckedArchive["sums"]) {
  const part = (file: string, isOwn: Part["isOwn"], validator: Part["validator"]): Part => {
    // A change during the restore is noticed at the end; for keys, before anyone follows them.
    const read = () => (sums.has(file) ? readMessages(join(folder, file), sums.get(file)) : nothing());
    return { file, read, isOwn, validator };
  };
  const operatorProblem = (message: SavedMessage) => (decodeOperatorMessage(message) ? null : "not an operator event");
  const auditProblem = (message: SavedMessage) => (decodeAuditMessage(message) ? null : "not an audit entry");
  return {
    keys: part(FILES.keys, isKeySubject, keyValidator),
    usage: part(
      FILES.usage,
      (subject) => parseNatsSubject(subject) !== null,
      () => problemOfCounts,
    ),
    months: part(
      FILES.months,
      (subject) => parseNatsMonthSubject(subject) !== null,
      () => problemOfCounts,
    ),
    operators: part(
      FILES.operators,
      (subject) => /^operators\.[^.*>\s]+$/.test(subject),
      () => operatorProblem,
    ),
    audit: part(
      FILES.audit,
      (subject) => /^audit\.[\w-]+$/.test(subject),
      () => auditProblem,
    ),
  };
}

/** Backups of earlier versions have no file of operators and none of the audit trail. */
async function* nothing(): AsyncGenerator<SavedMessage> {}

/** The messages of a part that may be published. It checks again, since it reads the file again. */
async function* readable(part: Part): AsyncGenerator<SavedMessage> {
  const problemOf = part.validator();
  for await (const message of part.read())
    if (part.isOwn(message.subject) && problemOf(message) === null) yield message;
}

function isKeySubject(subject: string): boolean {
  return subject.startsWith("keys.") && keySubject(subject.slice(5)) === subject;
}

/** Checks that events follow each other, as auth does. It keeps only the state that the next event is checked against. */
function keyValidator(): (message: SavedMessage) => string | null {
  const states = new Map<string, Pick<IssuedKey, "status" | "version">>();
  return (message) => {
    try {
      const event = decodeKeyMessage(message);
      const state = states.get(event.keyId);
      if (event.version !== (state?.version ?? 0) + 1 && event.type !== "KeyRevoked")
        throw new Error("its version does not follow that of the key's previous event");
      if (!isKeyChange(event)) {
        if (event.type.startsWith("Customer") && (event.type === "CustomerAdded") === (state !== undefined))
          throw new Error(`${event.type} doesn't follow the customer's previous event`);
        states.set(event.keyId, { status: "active", version: event.version });
        return null;
      }
      const { status, version } = evolve(state ? (state as IssuedKey) : NO_KEY, event);
      if (event.type === "KeyRotated") {
        const { keyId } = event.data.successor;
        if (states.has(keyId)) throw new Error("its successor exists already");
        states.set(keyId, { status: "active", version: 1 });
      }
      states.set(event.keyId, { status, version });
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  };
}

function problemOfCounts({ data }: SavedMessage): string | null {
  const message = decodeUsageMessage(data);
  return "problem" in message ? message.problem : null;
}
