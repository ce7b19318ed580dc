// Original file: proto/auth/v1/auth.proto

import type { PlanDifference as _geolookup_auth_v1_PlanDifference, PlanDifference__Output as _geolookup_auth_v1_PlanDifference__Output } from '../../../geolookup/auth/v1/PlanDifference.ts';

export interface PlansCheck {
  'hash'?: (string);
  'differences'?: readonly (_geolookup_auth_v1_PlanDifference)[];
  /**
   * Why the change needs to be confirmed, as sentences.
   */
  'holds'?: readonly (string)[];
}

export interface PlansCheck__Output {
  'hash'?: (string);
  'differences': (_geolookup_auth_v1_PlanDifference__Output)[];
  /**
   * Why the change needs to be confirmed, as sentences.
   */
  'holds': (string)[];
}
