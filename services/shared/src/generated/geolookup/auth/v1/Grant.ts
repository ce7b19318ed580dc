// Original file: proto/auth/v1/auth.proto

import type { KeyKind as _geolookup_auth_v1_KeyKind, KeyKind__Output as _geolookup_auth_v1_KeyKind__Output } from '../../../geolookup/auth/v1/KeyKind.ts';
import type { FieldSet as _geolookup_auth_v1_FieldSet, FieldSet__Output as _geolookup_auth_v1_FieldSet__Output } from '../../../geolookup/auth/v1/FieldSet.ts';
import type { Limits as _geolookup_auth_v1_Limits, Limits__Output as _geolookup_auth_v1_Limits__Output } from '../../../geolookup/auth/v1/Limits.ts';
import type { Quota as _geolookup_auth_v1_Quota, Quota__Output as _geolookup_auth_v1_Quota__Output } from '../../../geolookup/auth/v1/Quota.ts';
import type { KeyEnd as _geolookup_auth_v1_KeyEnd, KeyEnd__Output as _geolookup_auth_v1_KeyEnd__Output } from '../../../geolookup/auth/v1/KeyEnd.ts';
import type { Long } from '@grpc/proto-loader';

export interface Grant {
  'keyId'?: (string);
  'kind'?: (_geolookup_auth_v1_KeyKind);
  'plan'?: (string);
  'fields'?: (_geolookup_auth_v1_FieldSet);
  'monthlyRequests'?: (number | string | Long);
  /**
   * The allowlist. Empty: any origin.
   */
  'origins'?: readonly (string)[];
  /**
   * The key's display form, safe to show.
   */
  'display'?: (string);
  /**
   * Unset if the plan has no limit besides monthly_requests.
   */
  'limits'?: (_geolookup_auth_v1_Limits | null);
  /**
   * Whether the key may name a visitor in X-Forwarded-For. Secret keys only.
   */
  'mayForward'?: (boolean);
  /**
   * Unset if the key has a quota of its own, which is then monthly_requests.
   */
  'quota'?: (_geolookup_auth_v1_Quota | null);
  /**
   * Another quota from a later month on. Unset if there is none.
   */
  'nextQuota'?: (_geolookup_auth_v1_Quota | null);
  /**
   * When and how the key ends by itself: "expired" or "rotated". Unset if it doesn't. From that time on, gateways refuse the key.
   */
  'end'?: (_geolookup_auth_v1_KeyEnd | null);
  /**
   * The ID of the customer that the key belongs to. Empty: none.
   */
  'customer'?: (string);
  /**
   * Set if the plan grants a list of fields instead of a field set: their names, in the order of the record.
   */
  'fieldNames'?: readonly (string)[];
}

export interface Grant__Output {
  'keyId'?: (string);
  'kind'?: (_geolookup_auth_v1_KeyKind__Output);
  'plan'?: (string);
  'fields'?: (_geolookup_auth_v1_FieldSet__Output);
  'monthlyRequests'?: (number);
  /**
   * The allowlist. Empty: any origin.
   */
  'origins': (string)[];
  /**
   * The key's display form, safe to show.
   */
  'display'?: (string);
  /**
   * Unset if the plan has no limit besides monthly_requests.
   */
  'limits'?: (_geolookup_auth_v1_Limits__Output);
  /**
   * Whether the key may name a visitor in X-Forwarded-For. Secret keys only.
   */
  'mayForward'?: (boolean);
  /**
   * Unset if the key has a quota of its own, which is then monthly_requests.
   */
  'quota'?: (_geolookup_auth_v1_Quota__Output);
  /**
   * Another quota from a later month on. Unset if there is none.
   */
  'nextQuota'?: (_geolookup_auth_v1_Quota__Output);
  /**
   * When and how the key ends by itself: "expired" or "rotated". Unset if it doesn't. From that time on, gateways refuse the key.
   */
  'end'?: (_geolookup_auth_v1_KeyEnd__Output);
  /**
   * The ID of the customer that the key belongs to. Empty: none.
   */
  'customer'?: (string);
  /**
   * Set if the plan grants a list of fields instead of a field set: their names, in the order of the record.
   */
  'fieldNames': (string)[];
}
