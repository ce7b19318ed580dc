// Original file: proto/auth/v1/auth.proto

import type { Key as _geolookup_auth_v1_Key, Key__Output as _geolookup_auth_v1_Key__Output } from '../../../geolookup/auth/v1/Key.ts';

export interface IssueKeyResponse {
  /**
   * The full key. It can't be retrieved again.
   */
  'secret'?: (string);
  'key'?: (_geolookup_auth_v1_Key | null);
}

export interface IssueKeyResponse__Output {
  /**
   * The full key. It can't be retrieved again.
   */
  'secret'?: (string);
  'key'?: (_geolookup_auth_v1_Key__Output);
}
