// Original file: proto/auth/v1/auth.proto

import type { Check as _geolookup_auth_v1_Check, Check__Output as _geolookup_auth_v1_Check__Output } from '../../../geolookup/auth/v1/Check.ts';

export interface AuthorizeRequest {
  'checks'?: readonly (_geolookup_auth_v1_Check)[];
}

export interface AuthorizeRequest__Output {
  'checks': (_geolookup_auth_v1_Check__Output)[];
}
