// Original file: proto/auth/v1/auth.proto

import type { Outcome as _geolookup_auth_v1_Outcome, Outcome__Output as _geolookup_auth_v1_Outcome__Output } from '../../../geolookup/auth/v1/Outcome.ts';
import type { Grant as _geolookup_auth_v1_Grant, Grant__Output as _geolookup_auth_v1_Grant__Output } from '../../../geolookup/auth/v1/Grant.ts';

export interface Verdict {
  'outcome'?: (_geolookup_auth_v1_Outcome);
  /**
   * Set when GRANTED and ORIGIN_NOT_ALLOWED.
   */
  'grant'?: (_geolookup_auth_v1_Grant | null);
  /**
   * Set when ORIGIN_NOT_ALLOWED and an origin was sent: that origin as it was sent.
   */
  'refusedOrigin'?: (string);
  '_refusedOrigin'?: "refusedOrigin";
}

export interface Verdict__Output {
  'outcome'?: (_geolookup_auth_v1_Outcome__Output);
  /**
   * Set when GRANTED and ORIGIN_NOT_ALLOWED.
   */
  'grant'?: (_geolookup_auth_v1_Grant__Output);
  /**
   * Set when ORIGIN_NOT_ALLOWED and an origin was sent: that origin as it was sent.
   */
  'refusedOrigin'?: (string);
}
