// Original file: proto/auth/v1/auth.proto

import type { Key as _geolookup_auth_v1_Key, Key__Output as _geolookup_auth_v1_Key__Output } from '../../../geolookup/auth/v1/Key.ts';

export interface ListKeysResponse {
  /**
   * In the order of their issue. They may be fewer than asked for, even none, before the last page.
   */
  'keys'?: readonly (_geolookup_auth_v1_Key)[];
  /**
   * Asks for the next page. Empty: there is none.
   */
  'nextPageToken'?: (string);
}

export interface ListKeysResponse__Output {
  /**
   * In the order of their issue. They may be fewer than asked for, even none, before the last page.
   */
  'keys': (_geolookup_auth_v1_Key__Output)[];
  /**
   * Asks for the next page. Empty: there is none.
   */
  'nextPageToken'?: (string);
}
