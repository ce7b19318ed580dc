// Original file: proto/auth/v1/auth.proto

import type { Operator as _geolookup_auth_v1_Operator, Operator__Output as _geolookup_auth_v1_Operator__Output } from '../../../geolookup/auth/v1/Operator.ts';

export interface ListOperatorsResponse {
  'operators'?: readonly (_geolookup_auth_v1_Operator)[];
}

export interface ListOperatorsResponse__Output {
  'operators': (_geolookup_auth_v1_Operator__Output)[];
}
