// Original file: proto/auth/v1/auth.proto

import type { PreparedKey as _geolookup_auth_v1_PreparedKey, PreparedKey__Output as _geolookup_auth_v1_PreparedKey__Output } from '../../../geolookup/auth/v1/PreparedKey.ts';

export interface PrepareKeysResponse {
  /**
   * In the order of the request.
   */
  'keys'?: readonly (_geolookup_auth_v1_PreparedKey)[];
}

export interface PrepareKeysResponse__Output {
  /**
   * In the order of the request.
   */
  'keys': (_geolookup_auth_v1_PreparedKey__Output)[];
}
