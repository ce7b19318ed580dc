// Original file: proto/auth/v1/auth.proto

import type { Key as _geolookup_auth_v1_Key, Key__Output as _geolookup_auth_v1_Key__Output } from '../../../geolookup/auth/v1/Key.ts';

export interface FoundKey {
  /**
   * The place of the text in the request, from 0.
   */
  'index'?: (number);
  'key'?: (_geolookup_auth_v1_Key | null);
}

export interface FoundKey__Output {
  /**
   * The place of the text in the request, from 0.
   */
  'index'?: (number);
  'key'?: (_geolookup_auth_v1_Key__Output);
}
