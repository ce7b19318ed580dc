import type { Authorization, KeyCheck } from "@geolookup/shared/domain/authorize.ts";
import type { KeyPosition } from "@geolookup/shared/domain/key-event.ts";

/** An authorization, and how far auth had read the key log. */
export interface PositionedAuthorization {
  authorization: Authorization;
  /** Null if auth sent no position: its key log is embedded. */
  position: KeyPosition | null;
  /** Names the plans and signing keys that auth used. */
  rules?: string;
  /**
   * How long ago, in milliseconds, the node had every event of the key log; infinite if it is behind other nodes. Default: 0, since
   * earlier versions don't say.
   */
  ageMs?: number;
}

/** What auth nodes say about themselves. */
export interface NodesState {
  /** The name of auth's current plans and signing keys; undefined if no node responded. */
  rules: string | undefined;
  /** The highest position in the key log that any node has reported. */
  highest: KeyPosition | null;
  /** Whether a node is reached that has every key event. */
  isReached: boolean;
}

/** Auth as the cache needs it. */
export interface PositionedAuthorizer {
  /** Rejects if auth is unavailable. */
  authorizeWithPosition(check: KeyCheck): Promise<PositionedAuthorization>;
  /** Asks every node; never rejects. */
  checkNodes(): Promise<NodesState>;
}
