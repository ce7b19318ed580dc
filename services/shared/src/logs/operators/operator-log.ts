import { ROLES, type Role } from "../../domain/operators.ts";

interface Envelope<Type extends string, Data> {
  /** Unique id of the event; identifies a retried append. */
  id: string;
  type: Type;
  /** The operator's name. */
  operator: string;
  /** 1, 2, 3… per operator. */
  version: number;
  /** RFC 3339, UTC. */
  at: string;
  /** Who made the change. */
  by: string;
  data: Data;
}

/** A token's SHA-256 (hex), and when it expires. The token itself is never stored. */
export interface TokenData {
  tokenSha256: string;
  /** RFC 3339, UTC. Absent: never. */
  expiresAt?: string;
}

/** Everything that can happen to an operator. A removed one can be added again. */
export type OperatorEvent =
  | Envelope<"OperatorAdded", { role: Role } & TokenData>
  | Envelope<"OperatorRoleChanged", { role: Role }>
  | Envelope<"OperatorTokenReplaced", TokenData>
  | Envelope<"OperatorRemoved", Record<string, never>>;

/** Receives the events of the log. */
export interface OperatorLogFollower {
  /** All events so far, in order. They replace everything received before. */
  reset(events: readonly OperatorEvent[]): void;
  /** The next event. */
  apply(event: OperatorEvent): void;
}

/** The append-only log of all operators: in a file, or on JetStream in a cluster. Both pass one suite. */
export interface OperatorLog extends AsyncDisposable {
  /** Follows the log from now on; only once. Never throws: while the log can't be read, its age grows. */
  follow(follower: OperatorLogFollower): void;
  /**
   * Appends one event; resolves once it is durable and the follower has it.
   * @throws VersionConflict unless its version is the operator's last + 1; ServiceError `unavailable`.
   */
  append(event: OperatorEvent): Promise<void>;
  /** The events that the follower has, in order. */
  events(): readonly OperatorEvent[];
  /** Resolves once the follower has every event that is in the log now. @throws ServiceError `unavailable` */
  refresh(): Promise<void>;
  /** How long ago, in milliseconds, the follower had every event. Infinity before it had them. */
  ageMs(): number;
}

type Check = (value: unknown) => boolean;
const isText: Check = (value) => typeof value === "string" && value !== "";
const isRole: Check = (value) => ROLES.includes(value as Role);
const isSha256: Check = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const isTime: Check = (value) => value === undefined || (typeof value === "string" && !Number.isNaN(Date.parse(value)));

const ENVELOPE: Readonly<Record<string, Check>> = {
  id: isText,
  type: isText,
  operator: isText,
  version: (value) => Number.isSafeInteger(value) && (value as number) > 0,
  at: isText,
  by: isText,
  data: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};
const TOKEN = { tokenSha256: isSha256, expiresAt: isTime };
const DATA: Readonly<Record<OperatorEvent["type"], Readonly<Record<string, Check>>>> = {
  OperatorAdded: { role: isRole, ...TOKEN },
  OperatorRoleChanged: { role: isRole },
  OperatorTokenReplaced: TOKEN,
  OperatorRemoved: {},
};

/** Checks that a value is a valid event. @throws Error naming the invalid field, without its content. */
export function parseOperatorEvent(value: unknown): OperatorEvent {
  expectFields(value, ENVELOPE);
  const event = value as OperatorEvent;
  if (!Object.hasOwn(DATA, event.type)) throw new Error("not an operator event: type: unknown to this version");
  expectFields(event.data, DATA[event.type]);
  return event;
}

function expectFields(value: unknown, fields: Readonly<Record<string, Check>>): void {
  if (typeof value !== "object" || value === null) throw new Error("not an operator event: not an object");
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined) throw new Error("not an operator event: it has a field that this version doesn't know");
  for (const [name, isValid] of Object.entries(fields))
    if (!isValid((value as Record<string, unknown>)[name])) throw new Error(`not an operator event: ${name}: invalid`);
}
