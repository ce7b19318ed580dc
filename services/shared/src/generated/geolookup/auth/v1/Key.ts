// Original file: proto/auth/v1/auth.proto

import type { KeyKind as _geolookup_auth_v1_KeyKind, KeyKind__Output as _geolookup_auth_v1_KeyKind__Output } from '../../../geolookup/auth/v1/KeyKind.ts';
import type { Limits as _geolookup_auth_v1_Limits, Limits__Output as _geolookup_auth_v1_Limits__Output } from '../../../geolookup/auth/v1/Limits.ts';
import type { Quota as _geolookup_auth_v1_Quota, Quota__Output as _geolookup_auth_v1_Quota__Output } from '../../../geolookup/auth/v1/Quota.ts';

export interface Key {
  'keyId'?: (string);
  'kind'?: (_geolookup_auth_v1_KeyKind);
  'plan'?: (string);
  'label'?: (string);
  'origins'?: readonly (string)[];
  'display'?: (string);
  /**
   * "active", "revoked", "expired", "disabled" or "rotated". Also "disabled" if its customer is.
   */
  'status'?: (string);
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
  /**
   * When it expires or expired.
   */
  'expiresAt'?: (string);
  'disabledAt'?: (string);
  'disabledReason'?: (string);
  /**
   * The keys before and after it, by rotation.
   */
  'rotatedFrom'?: (string);
  'rotatedTo'?: (string);
  /**
   * When the rotated key ends.
   */
  'endsAt'?: (string);
  /**
   * Empty: none.
   */
  'customer'?: (string);
  'metadata'?: ({[key: string]: string});
  /**
   * What its requests count toward in this month.
   */
  'quota'?: (_geolookup_auth_v1_Quota | null);
  /**
   * Set if it counts toward another quota from the next month on.
   */
  'nextQuota'?: (_geolookup_auth_v1_Quota | null);
  '_revokedAt'?: "revokedAt";
  '_revokedReason'?: "revokedReason";
  '_expiresAt'?: "expiresAt";
  '_disabledAt'?: "disabledAt";
  '_disabledReason'?: "disabledReason";
  '_rotatedFrom'?: "rotatedFrom";
  '_rotatedTo'?: "rotatedTo";
  '_endsAt'?: "endsAt";
}

export interface Key__Output {
  'keyId'?: (string);
  'kind'?: (_geolookup_auth_v1_KeyKind__Output);
  'plan'?: (string);
  'label'?: (string);
  'origins': (string)[];
  'display'?: (string);
  /**
   * "active", "revoked", "expired", "disabled" or "rotated". Also "disabled" if its customer is.
   */
  'status'?: (string);
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
  /**
   * When it expires or expired.
   */
  'expiresAt'?: (string);
  'disabledAt'?: (string);
  'disabledReason'?: (string);
  /**
   * The keys before and after it, by rotation.
   */
  'rotatedFrom'?: (string);
  'rotatedTo'?: (string);
  /**
   * When the rotated key ends.
   */
  'endsAt'?: (string);
  /**
   * Empty: none.
   */
  'customer'?: (string);
  'metadata'?: ({[key: string]: string});
  /**
   * What its requests count toward in this month.
   */
  'quota'?: (_geolookup_auth_v1_Quota__Output);
  /**
   * Set if it counts toward another quota from the next month on.
   */
  'nextQuota'?: (_geolookup_auth_v1_Quota__Output);
}
