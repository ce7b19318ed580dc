// Original file: proto/auth/v1/auth.proto

import type { KeyKind as _geolookup_auth_v1_KeyKind, KeyKind__Output as _geolookup_auth_v1_KeyKind__Output } from '../../../geolookup/auth/v1/KeyKind.ts';
import type { Limits as _geolookup_auth_v1_Limits, Limits__Output as _geolookup_auth_v1_Limits__Output } from '../../../geolookup/auth/v1/Limits.ts';

export interface Key {
  'keyId'?: (string);
  'kind'?: (_geolookup_auth_v1_KeyKind);
  'plan'?: (string);
  'label'?: (string);
  'origins'?: readonly (string)[];
  'display'?: (string);
  /**
   * "active" or "revoked".
   */
  'status'?: (string);
  /**
   * RFC 3339, UTC.
   */
  'createdAt'?: (string);
  'revokedAt'?: (string);
  'revokedReason'?: (string);
  /**
   * The number of the key's events.
   */
  'version'?: (number);
  /**
   * Unset if the plan has no limit besides its monthly quota.
   */
  'limits'?: (_geolookup_auth_v1_Limits | null);
  /**
   * Whether the key may name a visitor in X-Forwarded-For. Secret keys only.
   */
  'mayForward'?: (boolean);
  '_revokedAt'?: "revokedAt";
  '_revokedReason'?: "revokedReason";
}

export interface Key__Output {
  'keyId'?: (string);
  'kind'?: (_geolookup_auth_v1_KeyKind__Output);
  'plan'?: (string);
  'label'?: (string);
  'origins': (string)[];
  'display'?: (string);
  /**
   * "active" or "revoked".
   */
  'status'?: (string);
  /**
   * RFC 3339, UTC.
   */
  'createdAt'?: (string);
  'revokedAt'?: (string);
  'revokedReason'?: (string);
  /**
   * The number of the key's events.
   */
  'version'?: (number);
  /**
   * Unset if the plan has no limit besides its monthly quota.
   */
  'limits'?: (_geolookup_auth_v1_Limits__Output);
  /**
   * Whether the key may name a visitor in X-Forwarded-For. Secret keys only.
   */
  'mayForward'?: (boolean);
}
