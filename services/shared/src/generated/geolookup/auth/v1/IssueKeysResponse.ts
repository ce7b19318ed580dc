// Original file: proto/auth/v1/auth.proto

import type { Key as _geolookup_auth_v1_Key, Key__Output as _geolookup_auth_v1_Key__Output } from '../../../geolookup/auth/v1/Key.ts';

export interface IssueKeysResponse {
  /**
   * In the order of the request.
   */
  'keys'?: readonly (_geolookup_auth_v1_Key)[];
}

export interface IssueKeysResponse__Output {
  /**
   * In the order of the request.
   */
  'keys': (_geolookup_auth_v1_Key__Output)[];
}
