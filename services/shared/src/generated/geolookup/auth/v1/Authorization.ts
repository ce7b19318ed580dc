// Original file: proto/auth/v1/auth.proto

import type { Outcome as _geolookup_auth_v1_Outcome, Outcome__Output as _geolookup_auth_v1_Outcome__Output } from '../../../geolookup/auth/v1/Outcome.ts';
import type { Grant as _geolookup_auth_v1_Grant, Grant__Output as _geolookup_auth_v1_Grant__Output } from '../../../geolookup/auth/v1/Grant.ts';
import type { KeyEnd as _geolookup_auth_v1_KeyEnd, KeyEnd__Output as _geolookup_auth_v1_KeyEnd__Output } from '../../../geolookup/auth/v1/KeyEnd.ts';

export interface Authorization {
  'outcome'?: (_geolookup_auth_v1_Outcome);
  /**
   * Set for GRANTED and ORIGIN_NOT_ALLOWED, and with `end`, so that gateways know which events can change it.
   */
  'grant'?: (_geolookup_auth_v1_Grant | null);
  /**
   * The refused origin as received. Set for ORIGIN_NOT_ALLOWED if there was one.
   */
  'refusedOrigin'?: (string);
  /**
   * Why a key that was issued has no active record. Set for UNKNOWN_KEY if the key has expired, was disabled or was replaced.
   */
  'end'?: (_geolookup_auth_v1_KeyEnd | null);
  /**
   * Of a revoked key, so that gateways can count its refused requests. Set for REVOKED_KEY.
   */
  'revokedKeyId'?: (string);
  '_refusedOrigin'?: "refusedOrigin";
}

export interface Authorization__Output {
  'outcome'?: (_geolookup_auth_v1_Outcome__Output);
  /**
   * Set for GRANTED and ORIGIN_NOT_ALLOWED, and with `end`, so that gateways know which events can change it.
   */
  'grant'?: (_geolookup_auth_v1_Grant__Output);
  /**
   * The refused origin as received. Set for ORIGIN_NOT_ALLOWED if there was one.
   */
  'refusedOrigin'?: (string);
  /**
   * Why a key that was issued has no active record. Set for UNKNOWN_KEY if the key has expired, was disabled or was replaced.
   */
  'end'?: (_geolookup_auth_v1_KeyEnd__Output);
  /**
   * Of a revoked key, so that gateways can count its refused requests. Set for REVOKED_KEY.
   */
  'revokedKeyId'?: (string);
}
