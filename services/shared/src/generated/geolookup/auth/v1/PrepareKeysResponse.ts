// Original file: proto/auth/v1/auth.proto

import type { PreparedKey as _geolookup_auth_v1_PreparedKey, PreparedKey__Output as _geolookup_auth_v1_PreparedKey__Output } from '../../../geolookup/auth/v1/PreparedKey.ts';
import type { IssueProblem as _geolookup_auth_v1_IssueProblem, IssueProblem__Output as _geolookup_auth_v1_IssueProblem__Output } from '../../../geolookup/auth/v1/IssueProblem.ts';

export interface PrepareKeysResponse {
  /**
   * In the order of the request. Empty if there are problems.
   */
  'keys'?: readonly (_geolookup_auth_v1_PreparedKey)[];
  /**
   * Each invalid request.
   */
  'problems'?: readonly (_geolookup_auth_v1_IssueProblem)[];
}

export interface PrepareKeysResponse__Output {
  /**
   * In the order of the request. Empty if there are problems.
   */
  'keys': (_geolookup_auth_v1_PreparedKey__Output)[];
  /**
   * Each invalid request.
   */
  'problems': (_geolookup_auth_v1_IssueProblem__Output)[];
}
