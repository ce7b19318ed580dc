import { randomUUID } from "node:crypto";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { MAX_LIVE_AGE_MS, VersionConflict } from "@geolookup/shared/domain/key-event.ts";
import { type Caller, RESERVED_NAMES, ROLES, type Role } from "@geolookup/shared/domain/operators.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { OperatorEvent, OperatorLog } from "@geolookup/shared/logs/operators/operator-log.ts";
import { sha256Of } from "../authorizer.ts";
import { invalid, readExpiry, valid } from "../keys/key-input.ts";
import { type RandomBytes, randomBase62 } from "../signing/signature.ts";

/** An operator. Its token isn't stored, only its SHA-256. */
export interface Operator {
  name: string;
  role: Role;
  /** RFC 3339, UTC. */
  createdAt: string;
  /** When its token expires. Absent: never. */
  expiresAt?: string;
  removedAt?: string;
  /** The number of its events. */
  version: number;
}

/** A new token, which can't be retrieved again. */
export interface IssuedOperator {
  token: string;
  operator: Operator;
}

/**
 * The operators of this deployment. Methods throw ServiceError: `invalid`, `not_found`, `precondition`, `conflict`, `unavailable`, and
 * `unauthenticated` for a token or name that isn't valid now.
 */
export interface Operators {
  /** @param expiresAt when its token expires; RFC 3339, UTC. Empty: never. */
  add(name: string, role: string, expiresAt: string, by: string): Promise<IssuedOperator>;
  setRole(name: string, role: string, by: string): Promise<Operator>;
  replaceToken(name: string, expiresAt: string, by: string): Promise<IssuedOperator>;
  /** Removing a removed operator changes nothing. */
  remove(name: string, by: string): Promise<Operator>;
  /** All operators, also removed ones, in the order in which they were first added. */
  list(): Operator[];
  /** The operator with this name, also if it was removed. */
  find(name: string): Operator | undefined;
  /** The operator with this token. */
  withToken(token: string): Promise<Operator>;
  /**
   * The current operator with this name, or the caller itself if no operator ever had it. Without a role of its own, the caller must be an
   * operator.
   */
  current(signedIn: { name: string; role: Role | null }): Caller;
}

const NAME = /^[a-z0-9._@-]{1,64}$/;
const TOKEN_PREFIX = "geo_op_";
const TOKEN_LENGTH = 40;
const TOKEN = new RegExp(`^${TOKEN_PREFIX}[0-9A-Za-z]{${TOKEN_LENGTH}}$`);
const ATTEMPTS = 10;

/** Whether a text has the shape of an operator's token. */
export function hasTokenShape(token: string): boolean {
  return TOKEN.test(token);
}

/** Follows the log, and changes operators in it. */
export function openOperators(options: {
  operatorLog: OperatorLog;
  clock: Clock;
  randomBytes: RandomBytes;
}): Operators {
  const { operatorLog, clock } = options;
  let operators = new Map<string, Operator>();
  /** The operators' names by the SHA-256 of their tokens. The lookup takes as long for every token, as far as a caller can choose it. */
  let names = new Map<string, string>();
  const apply = (event: OperatorEvent) => {
    const operator = evolve(operators.get(event.operator), event);
    if (!operator) return;
    operators.set(event.operator, operator);
    if (event.type === "OperatorRoleChanged") return;
    for (const [hash, name] of names) if (name === event.operator) names.delete(hash);
    if (event.type !== "OperatorRemoved") names.set(event.data.tokenSha256, event.operator);
  };
  operatorLog.follow({
    reset: (events) => {
      operators = new Map();
      names = new Map();
      for (const event of events) apply(event);
    },
    apply,
  });

  const get = (name: string) => {
    const operator = operators.get(name);
    if (operator) return operator;
    throw new ServiceError("not_found", `there is no operator ${JSON.stringify(name.slice(0, 64))}`);
  };
  /** @param decide returns what happens, or null for nothing. Called again after a concurrent change. */
  const change = async (name: string, by: string, decide: (operator: Operator | undefined) => Fact | null) => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      await operatorLog.refresh();
      const before = operators.get(name);
      const fact = decide(before);
      if (!fact) return get(name);
      const version = (before?.version ?? 0) + 1;
      const envelope = { id: randomUUID(), operator: name, version, at: new Date(clock()).toISOString(), by };
      try {
        await operatorLog.append({ ...envelope, ...fact } as OperatorEvent);
        return get(name);
      } catch (error) {
        if (!(error instanceof VersionConflict)) throw error;
      }
    }
    throw new ServiceError("conflict", `operator ${name} keeps being changed concurrently; try again`);
  };
  const newToken = (expiresAt: string) => {
    const expires = valid(readExpiry(expiresAt, clock()));
    const token = TOKEN_PREFIX + randomBase62(TOKEN_LENGTH, options.randomBytes);
    return { token, data: { tokenSha256: sha256Of(token), ...(expires && { expiresAt: expires }) } };
  };
  /** A node that is behind could let in a removed operator. */
  const expectRecent = () => {
    if (operatorLog.ageMs() > MAX_LIVE_AGE_MS)
      throw new ServiceError(
        "unavailable",
        "operators can't be checked now: NATS is unreachable; ADMIN_TOKEN still works",
      );
  };
  const expectActive = (operator: Operator): Operator => {
    const { name, expiresAt, removedAt } = operator;
    if (removedAt !== undefined) throw new ServiceError("unauthenticated", `operator ${name} was removed`);
    if (expiresAt !== undefined && Date.parse(expiresAt) <= clock())
      throw new ServiceError("unauthenticated", `the token of operator ${name} expired at ${expiresAt}`);
    return operator;
  };

  return {
    list: () => [...operators.values()],
    find: (name) => operators.get(name),
    add: async (name, roleName, expiresAt, by) => {
      if (!NAME.test(name)) throw invalid("an operator's name has 1 to 64 characters from a-z, 0-9, dot, _, @ and -");
      if (RESERVED_NAMES.has(name)) throw invalid(`the name ${name} is reserved; choose another`);
      const role = readRole(roleName);
      const { token, data } = newToken(expiresAt);
      const operator = await change(name, by, (existing) => {
        if (!existing || existing.removedAt !== undefined) return { type: "OperatorAdded", data: { role, ...data } };
        throw new ServiceError("precondition", `operator ${name} exists. Change its role, or replace its token`);
      });
      return { token, operator };
    },
    setRole: async (name, roleName, by) => {
      const role = readRole(roleName);
      return change(name, by, () =>
        requireCurrent(get(name)).role === role ? null : { type: "OperatorRoleChanged", data: { role } },
      );
    },
    replaceToken: async (name, expiresAt, by) => {
      const { token, data } = newToken(expiresAt);
      const operator = await change(name, by, () => {
        requireCurrent(get(name));
        return { type: "OperatorTokenReplaced", data };
      });
      return { token, operator };
    },
    remove: (name, by) =>
      change(name, by, () => (get(name).removedAt === undefined ? { type: "OperatorRemoved", data: {} } : null)),
    withToken: async (token) => {
      const hash = sha256Of(token);
      // Another node may have just issued it.
      if (!names.has(hash)) await operatorLog.refresh();
      const operator = operators.get(names.get(hash) ?? "");
      if (!operator)
        throw new ServiceError(
          "unauthenticated",
          "no operator has this token: it was replaced, or the operator was removed",
        );
      expectRecent();
      return expectActive(operator);
    },
    current: (signedIn) => {
      const operator = operators.get(signedIn.name);
      if (operator || operatorLog.ageMs() === Number.POSITIVE_INFINITY) expectRecent();
      if (operator) return expectActive(operator);
      const { name, role } = signedIn;
      if (role === null) throw new ServiceError("unauthenticated", `${name} isn't an operator`);
      return { name, role };
    },
  };
}

type Fact = OperatorEvent extends infer Event
  ? Event extends OperatorEvent
    ? Pick<Event, "type" | "data">
    : never
  : never;

/** @returns undefined for an event that isn't possible, which changes nothing. */
function evolve(before: Operator | undefined, event: OperatorEvent): Operator | undefined {
  const { operator: name, version, at } = event;
  if (event.type === "OperatorAdded") {
    const { role, expiresAt } = event.data;
    return { name, role, createdAt: before?.createdAt ?? at, ...(expiresAt && { expiresAt }), version };
  }
  if (!before) return undefined;
  if (event.type === "OperatorRoleChanged") return { ...before, role: event.data.role, version };
  if (event.type === "OperatorRemoved") return { ...before, removedAt: at, version };
  const { expiresAt: _, ...rest } = before;
  return { ...rest, ...(event.data.expiresAt && { expiresAt: event.data.expiresAt }), version };
}

function requireCurrent(operator: Operator): Operator {
  if (operator.removedAt === undefined) return operator;
  throw new ServiceError("precondition", `operator ${operator.name} was removed. Add it again`);
}

function readRole(role: string): Role {
  const found = ROLES.find((each) => each === role);
  if (!found) throw invalid(`a role must be ${ROLES.slice(0, -1).join(", ")} or ${ROLES.at(-1)}`);
  return found;
}
