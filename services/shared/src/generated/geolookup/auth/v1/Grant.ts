// Original file: proto/auth/v1/auth.proto

import type { KeyKind as _geolookup_auth_v1_KeyKind, KeyKind__Output as _geolookup_auth_v1_KeyKind__Output } from '../../../geolookup/auth/v1/KeyKind.ts';
import type { FieldSet as _geolookup_auth_v1_FieldSet, FieldSet__Output as _geolookup_auth_v1_FieldSet__Output } from '../../../geolookup/auth/v1/FieldSet.ts';
import type { Limits as _geolookup_auth_v1_Limits, Limits__Output as _geolookup_auth_v1_Limits__Output } from '../../../geolookup/auth/v1/Limits.ts';
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
}
