import type { KeyKind } from "./authorize.ts";
import type { PlanEntries } from "./plans.ts";
import { ServiceError } from "./service-error.ts";

interface Envelope<Type extends string, Data> {
  /** Unique id of the event; identifies a retried append. */
  id: string;
  type: Type;
  keyId: string;
  /** 1, 2, 3… per key. */
  version: number;
  /** RFC 3339, UTC. */
  at: string;
  /** Who made the change, e.g. `admin` or `demo`. */
  by: string;
  data: Data;
}

/** The "key ID" of plan changes in the log. No key has it: the IDs of keys start with `key_`. */
export const PLANS_ID = "plans";

/** The plans of all keys changed. Version 0.1 skips it in a stream. */
export type PlansChanged = Envelope<
  "PlansChanged",
  {
    /** All plans from now on. */
    plans: PlanEntries;
    /** See plansHash. */
    hash: string;
  }
>;

/** The "key ID" of a customer's events in the log. No key has it. */
export const customerEventId = (customerId: string) => `customer_${customerId}`;

/** Everything that can happen to a customer. Its keys share a quota: its own, or that of its plan. */
export type CustomerChanged =
  | Envelope<"CustomerAdded", CustomerData>
  /** All of it, as it is from now on. */
  | Envelope<"CustomerChanged", CustomerData>
  | Envelope<"CustomerDisabled", { reason: string }>
  | Envelope<"CustomerEnabled", Record<string, never>>;

interface CustomerData {
  name: string;
  plan: string;
  /** Absent: the plan's. */
  monthlyRequests?: number;
}

/** The "key ID" of UpgradeFinished. */
export const CLUSTER_ID = "cluster";

/** Every process runs this version or a later one, so the events that it added are allowed. */
export type UpgradeFinished = Envelope<"UpgradeFinished", { version: string }>;

/** An event of the key log. */
export type KeyEvent = KeyChanged | CustomerChanged | UpgradeFinished | PlansChanged;

/** Everything that can happen to a key. The key itself is never stored, only its SHA-256 (hex) and display form. */
export type KeyChanged =
  | Envelope<
      "KeyIssued",
      {
        kind: KeyKind;
        plan: string;
        label: string;
        origins: string[];
        keySha256: string;
        display: string;
        /** Set if the key may name a visitor in X-Forwarded-For. Version 0.1 ignores keys that have it. */
        mayForward?: true;
        /** RFC 3339, UTC. Absent: never. */
        expiresAt?: string;
        /** The customer's ID. */
        customer?: string;
        metadata?: Record<string, string>;
      }
    >
  /**
   * A successor was issued, like this key in everything that isn't here. It has version 1 by this event, which is on the subject of the
   * rotated key, so that of two concurrent rotations one wins. Both count toward the same quota.
   */
  | Envelope<
      "KeyRotated",
      {
        successor: { keyId: string; keySha256: string; display: string };
        /** When the rotated key ends. RFC 3339, UTC. */
        endsAt: string;
      }
    >
  | Envelope<"KeyExpiryChanged", { expiresAt: string | null }>
  | Envelope<"KeyDisabled", { reason: string }>
  | Envelope<"KeyEnabled", Record<string, never>>
  /** `from`: the month ("YYYY-MM", UTC) from which on it counts toward the new quota. */
  | Envelope<"KeyCustomerChanged", { customer: string | null; from: string }>
  | Envelope<"KeyMetadataChanged", { metadata: Record<string, string> }>
  | Envelope<"KeyPlanChanged", { plan: string }>
  | Envelope<"KeyOriginsChanged", { origins: string[] }>
  | Envelope<"KeyLabelChanged", { label: string }>
  | Envelope<"KeyRevoked", { reason: string }>;

/** Whether an event is about a key, rather than a customer, the plans or the cluster. */
export function isKeyChange(event: KeyEvent): event is KeyChanged {
  return event.type.startsWith("Key");
}

/** Another writer appended this version of the key first. */
export class VersionConflict extends Error {
  override readonly name = "VersionConflict";
}

/** Receives the events of the key log, in order. */
export interface KeyLogFollower {
  /**
   * All events of the log follow, in this epoch. Called before the first event, and again when the log was replaced or truncated:
   * earlier events are invalid once caughtUp() is called.
   */
  restart(epoch: string): void;
  /**
   * The next event, with its sequence.
   * @returns false if it doesn't follow the key's earlier events.
   */
  apply(event: KeyEvent, sequence: number): boolean;
  /** The follower has caught up with the log; further events are live. Called once after each restart. */
  caughtUp(): void;
}

/** A place in a key log: after an event, in an epoch of the log. */
export interface KeyLogMark {
  epoch: string;
  sequence: number;
  /** The event's id. It shows whether a log still has the event at that place. */
  eventId: string;
}

/**
 * The append-only log of all key events, in order. The adapters (file, and JetStream in a
 * cluster) pass one conformance suite.
 */
export interface KeyLog extends AsyncDisposable {
  /**
   * Appends one event; resolves once it is durable (fsync), with its sequence (1, 2, 3… over the
   * whole log). The event's version is a condition: VersionConflict unless it is the
   * key's last version + 1. An event whose `id` the log already holds resolves with that sequence.
   * Rejects with ServiceError `unavailable` if the log can't be written.
   */
  append(event: KeyEvent): Promise<number>;
  /**
   * Delivers every event, in order; resolves when caught up, then continues live. Rejects if the log is closed before that.
   */
  follow(follower: KeyLogFollower): Promise<void>;
  /** How long ago, in milliseconds, the follower had every event of the log. Below 5 s while the log can be followed. */
  positionAgeMs(): number;
  /** What the log lacks of the events that it had. Until it has them again, nothing can be appended. Undefined: nothing. */
  lacking(): string | undefined;
  /** The durable events of one key, oldest first; empty for a key that is not in the log. */
  eventsOf(keyId: string): Promise<KeyEvent[]>;
}

/** The error of a key log's methods after it was closed. */
export function keyLogClosed(): ServiceError {
  return new ServiceError("unavailable", "the key log is closed: the service is stopping");
}

/** An event's position in the key log. A log that was restored or lost its tail has a new epoch. */
export interface KeyPosition {
  epoch: string;
  /** 1, 2, 3… within the epoch. */
  sequence: number;
}

/** A process whose last look at the end of the log is older doesn't follow it any longer: it looks every second. */
export const MAX_LIVE_AGE_MS = 5_000;

/** Receives new events of the key log in a gateway. */
export interface KeyFollower {
  /** One event, in the order of the log. Within an epoch, none is skipped. */
  event(event: KeyEvent, position: KeyPosition): void;
  /**
   * Following starts, or the log was replaced: discard everything derived from it. Events after `sequence` follow. Anything that
   * others derived from the log up to an earlier sequence may be out of date, without further notice.
   */
  reset(epoch: string, sequence: number): void;
  /** Whether events now arrive as they happen. False as soon as the log can't be followed. */
  live(isLive: boolean): void;
  /** Every event up to `sequence`, the end of the log `ageMs` ago, was delivered. Called every second while the log can be followed. */
  complete(sequence: number, ageMs: number): void;
}

/** The key log as gateways follow it: only new events. */
export interface KeyFeed {
  /** Follows, and reconnects forever, until the returned object is disposed of, which never fails. */
  follow(follower: KeyFollower): AsyncDisposable;
}
