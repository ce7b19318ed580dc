import type { Authorization, KeyCheck } from "@geolookup/shared/domain/authorize.ts";
import type { KeyPosition } from "@geolookup/shared/domain/key-feed.ts";

/** A verdict with how far in the key log it knows; null when auth names no position (its log is its own). */
export interface PositionedAuthorization {
  verdict: Authorization;
  position: KeyPosition | null;
  /** Names the plans and signing keys it goes by; other rules have another name. */
  rules?: string;
}

/** Auth, as a cache needs it. Rejects when auth cannot be asked. */
export interface PositionedAuthorizer {
  judge(check: KeyCheck): Promise<PositionedAuthorization>;
  /** The name of the rules that auth goes by now. */
  rules(): Promise<string>;
}
