import type { Authorization, KeyCheck } from "@geolookup/shared/domain/authorize.ts";
import type { KeyPosition } from "@geolookup/shared/domain/key-feed.ts";

/** An authorization, and how far auth had read the key log. */
export interface PositionedAuthorization {
  authorization: Authorization;
  /** Null if auth sent no position: its key log is embedded. */
  position: KeyPosition | null;
  /** Names the plans and signing keys that auth used. */
  rules?: string;
}

/** Auth as the cache needs it. Its methods reject if auth is unavailable. */
export interface PositionedAuthorizer {
  authorizeWithPosition(check: KeyCheck): Promise<PositionedAuthorization>;
  /** The name of auth's current plans and signing keys. */
  rules(): Promise<string>;
}
