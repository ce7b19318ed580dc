// Original file: proto/auth/v1/auth.proto

import type { Operator as _geolookup_auth_v1_Operator, Operator__Output as _geolookup_auth_v1_Operator__Output } from '../../../geolookup/auth/v1/Operator.ts';

export interface IssuedOperator {
  /**
   * It can't be retrieved again.
   */
  'token'?: (string);
  'operator'?: (_geolookup_auth_v1_Operator | null);
}

export interface IssuedOperator__Output {
  /**
   * It can't be retrieved again.
   */
  'token'?: (string);
  'operator'?: (_geolookup_auth_v1_Operator__Output);
}
