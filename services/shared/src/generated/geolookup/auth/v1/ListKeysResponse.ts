// Original file: proto/auth/v1/auth.proto

import type { Key as _geolookup_auth_v1_Key, Key__Output as _geolookup_auth_v1_Key__Output } from '../../../geolookup/auth/v1/Key.ts';

export interface ListKeysResponse {
  /**
   * In the requested order. A page can be short, or even empty, without being the last.
   */
  'keys'?: readonly (_geolookup_auth_v1_Key)[];
  /**
   * The page_token of the next page. Empty on the last page.
   */
  'nextPageToken'?: (string);
  /**
   * The number of all keys, whatever the request's filter. 0 from version 0.1.
   */
  'total'?: (number);
}

export interface ListKeysResponse__Output {
  /**
   * In the requested order. A page can be short, or even empty, without being the last.
   */
  'keys': (_geolookup_auth_v1_Key__Output)[];
  /**
   * The page_token of the next page. Empty on the last page.
   */
  'nextPageToken'?: (string);
  /**
   * The number of all keys, whatever the request's filter. 0 from version 0.1.
   */
  'total'?: (number);
}
