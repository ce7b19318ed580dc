// Original file: proto/auth/v1/auth.proto

import type { Quota as _geolookup_auth_v1_Quota, Quota__Output as _geolookup_auth_v1_Quota__Output } from '../../../geolookup/auth/v1/Quota.ts';
import type { Long } from '@grpc/proto-loader';

export interface Customer {
  /**
   * 1 to 64 of a-z, 0-9, _ and -, such as "acme".
   */
  'id'?: (string);
  /**
   * For people. May be empty.
   */
  'name'?: (string);
  /**
   * The plan of new keys, and of the quota unless it has one of its own.
   */
  'plan'?: (string);
  /**
   * A quota of its own. Unset: the plan's.
   */
  'monthlyRequests'?: (number | string | Long);
  /**
   * The quota that applies.
   */
  'quota'?: (_geolookup_auth_v1_Quota | null);
  /**
   * "active" or "disabled".
   */
  'status'?: (string);
  'createdAt'?: (string);
  'disabledAt'?: (string);
  'disabledReason'?: (string);
  'version'?: (number);
  /**
   * The number of its keys, and of those that are active.
   */
  'keys'?: (number);
  'activeKeys'?: (number);
  '_monthlyRequests'?: "monthlyRequests";
  '_disabledAt'?: "disabledAt";
  '_disabledReason'?: "disabledReason";
}

export interface Customer__Output {
  /**
   * 1 to 64 of a-z, 0-9, _ and -, such as "acme".
   */
  'id'?: (string);
  /**
   * For people. May be empty.
   */
  'name'?: (string);
  /**
   * The plan of new keys, and of the quota unless it has one of its own.
   */
  'plan'?: (string);
  /**
   * A quota of its own. Unset: the plan's.
   */
  'monthlyRequests'?: (number);
  /**
   * The quota that applies.
   */
  'quota'?: (_geolookup_auth_v1_Quota__Output);
  /**
   * "active" or "disabled".
   */
  'status'?: (string);
  'createdAt'?: (string);
  'disabledAt'?: (string);
  'disabledReason'?: (string);
  'version'?: (number);
  /**
   * The number of its keys, and of those that are active.
   */
  'keys'?: (number);
  'activeKeys'?: (number);
}
