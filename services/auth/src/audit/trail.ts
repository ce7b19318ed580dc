import { randomUUID } from "node:crypto";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { type KeyEvent, type KeyLog, type KeyLogFollower, PLANS_ID } from "@geolookup/shared/domain/key-event.ts";
import type { Caller } from "@geolookup/shared/domain/operators.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { AuditLog, AuditPage, AuditQuery } from "@geolookup/shared/logs/audit/audit-log.ts";
import type { OperatorEvent, OperatorLog } from "@geolookup/shared/logs/operators/operator-log.ts";
import type { NatsLink } from "@geolookup/shared/runtime/nats/connection.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { repeat } from "@geolookup/shared/runtime/service/lifecycle.ts";
import type { KeyRegistry } from "../keys/key-registry.ts";
import type { PlansKeeper } from "../plans/keep-plans.ts";
import { concernsKeys, plansHeldEntry } from "./entry.ts";
import { collectKeyFileEvents, projectKeyStream } from "./key-events.ts";
import { createProjection } from "./projection.ts";

const POLL_MS = 250;
const MINUTE_MS = 60_000;
const startOfMinute = (nowMs: number) => nowMs - (nowMs % MINUTE_MS);

/** How somebody signs in, or calls auth: with a token, with ADMIN_TOKEN, through a proxy, or with OpenID Connect. */
const DOORS = ["token", "admin", "proxy", "oidc"] as const;
type Door = (typeof DOORS)[number];

/** The audit trail of this deployment. */
export interface AuditTrail extends AsyncDisposable {
  /** What the caller may see of it. @throws ServiceError */
  list(query: Omit<AuditQuery, "isVisible">, caller: Caller): Promise<AuditPage>;
  /** Records that somebody signed in or out. @throws ServiceError */
  signedIn(action: string, by: string, door: string): Promise<void>;
  /** Counts a refused token or sign-in. An entry for each minute and door sums them up, so that nobody can fill the trail. */
  refused(door: Door): void;
}

/** What the trail begins with, before the key log is followed. */
export interface PreparedTrail {
  /** Follows the key log in place of the registry. */
  follower: KeyLogFollower;
  /** Begins to write the trail. */
  open(sources: { plans: Pick<PlansKeeper, "held" | "lastChange">; operatorLog: OperatorLog }): AuditTrail;
}

/**
 * @param options.nats in a cluster, where the trail reads the key log by itself.
 * @param options.print writes each stored entry as a line of JSON. Null: nowhere.
 */
export async function prepareAuditTrail(options: {
  auditLog: AuditLog;
  registry: KeyRegistry;
  keyLog: Pick<KeyLog, "eventsOf">;
  nats: NatsLink | undefined;
  print: ((line: string) => void) | null;
  clock: Clock;
  log: Logger;
}): Promise<PreparedTrail> {
  const { auditLog, registry, keyLog, nats, print, clock, log } = options;
  const positions = nats ? null : await auditLog.positions();
  const collected = collectKeyFileEvents((name) => positions?.[name]?.sequence ?? 0);

  /** The events that made a key's state before one of its events; of a key that replaced another one, also that one's. */
  const earlierOfKey = async (event: KeyEvent): Promise<KeyEvent[]> => {
    if (event.version === 1) return [];
    const own = (await keyLog.eventsOf(event.keyId)).filter(({ version }) => version < event.version);
    const rotatedFrom = registry.byId(event.keyId)?.rotatedFrom;
    if (rotatedFrom === undefined) return own;
    const rotation = (await keyLog.eventsOf(rotatedFrom)).find(
      (each) => each.type === "KeyRotated" && each.data.successor.keyId === event.keyId,
    );
    return rotation ? [...(await earlierOfKey(rotation)), ...own] : own;
  };

  const open: PreparedTrail["open"] = ({ plans, operatorLog }) => {
    const closing = new AbortController();
    const earlier = async (event: KeyEvent | OperatorEvent) =>
      "operator" in event
        ? operatorLog.events().filter(({ operator, version }) => operator === event.operator && version < event.version)
        : earlierOfKey(event);
    const projection = createProjection({
      ...{ auditLog, earlier, over: closing.signal, log },
      onStored: (entries) => {
        for (const entry of entries) print?.(`${JSON.stringify({ msg: "audit", ...entry })}\n`);
      },
    });
    const projectOperators = async () => {
      const events = operatorLog.events();
      const last = events.at(-1);
      if (!last) return;
      const end = { sequence: events.length, eventId: last.id };
      const begin = { name: "operators" as const, end, eventIdAt: (sequence: number) => events[sequence - 1]?.id };
      const after = await projection.begin(begin);
      const due = events.slice(after).map((event, index) => ({ event, sequence: after + index + 1 }));
      if (due.length > 0) await projection.write("operators", due);
    };
    let heldId = "";
    const recordHeld = async () => {
      const held = plans.held();
      if (!held) return;
      const entry = plansHeldEntry(held, plans.lastChange()?.version ?? 0, new Date(clock()).toISOString());
      if (entry.id === heldId) return;
      const filter = { action: entry.action, subject: PLANS_ID, isVisible: () => true };
      const [last] = (await auditLog.list({ ...filter, pageSize: 1, after: null })).entries;
      if (last?.id !== entry.id) await projection.record(entry);
      heldId = entry.id;
    };

    /** By minute and door. */
    const refusals = new Map<string, { id: string; atMs: number; door: Door; count: number }>();
    const recordRefusals = async (untilMs: number) => {
      for (const [key, { id, atMs, door, count }] of refusals) {
        if (atMs >= untilMs) continue;
        const at = new Date(atMs).toISOString();
        await projection.record({ id, at, by: "", action: "SignInRefused", subject: door, count });
        refusals.delete(key);
      }
    };
    const tasks = [
      projectOperators,
      recordHeld,
      () => recordRefusals(startOfMinute(clock())),
      ...(nats ? [] : [() => collected.project(projection)]),
    ];
    let lastReason = "";
    const polling = repeat(
      POLL_MS,
      async () => {
        for (const task of tasks)
          try {
            await task();
            lastReason = "";
          } catch (error) {
            const reason = (error as Error).message;
            if (reason !== lastReason) log.warn({ reason }, "audit trail not written; retrying");
            lastReason = reason;
          }
      },
      log,
    );
    const keys = nats && projectKeyStream(nats, projection, log);
    return {
      list: (query, { role }) => auditLog.list({ ...query, isVisible: role === "admin" ? () => true : concernsKeys }),
      signedIn: async (action, by, doorName) => {
        const door = DOORS.find((each) => each === doorName);
        if (!door) throw new ServiceError("invalid", `a sign-in's subject must be one of ${DOORS.join(", ")}`);
        if (action === "SignInRefused") return refuse(door);
        if (action !== "SignedIn" && action !== "SignedOut")
          throw new ServiceError("invalid", "only SignedIn, SignedOut and SignInRefused can be recorded");
        if (by === "" || by.length > 128)
          throw new ServiceError("invalid", "the operator's name is missing or too long");
        await projection.record({ id: randomUUID(), at: new Date(clock()).toISOString(), by, action, subject: door });
      },
      refused: refuse,
      [Symbol.asyncDispose]: async () => {
        closing.abort();
        await polling[Symbol.asyncDispose]();
        await keys?.[Symbol.asyncDispose]();
        await recordRefusals(Number.POSITIVE_INFINITY).catch((error: Error) =>
          log.warn({ reason: error.message }, "refused sign-ins not recorded"),
        );
      },
    };

    function refuse(door: Door) {
      const atMs = startOfMinute(clock());
      const key = `${atMs} ${door}`;
      const refusal = refusals.get(key) ?? { id: randomUUID(), atMs, door, count: 0 };
      refusal.count += 1;
      refusals.set(key, refusal);
    }
  };
  return { follower: nats ? registry : collected.followedBy(registry), open };
}
