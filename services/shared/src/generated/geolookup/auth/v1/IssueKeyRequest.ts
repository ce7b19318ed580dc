// Original file: proto/auth/v1/auth.proto

import type { KeyKind as _geolookup_auth_v1_KeyKind, KeyKind__Output as _geolookup_auth_v1_KeyKind__Output } from '../../../geolookup/auth/v1/KeyKind.ts';

export interface IssueKeyRequest {
  'kind'?: (_geolookup_auth_v1_KeyKind);
  'plan'?: (string);
  'label'?: (string);
  'origins'?: readonly (string)[];
  /**
   * Refused for publishable keys.
   */
  'mayForward'?: (boolean);
  /**
   * Must be in the future. Empty: never.
   */
  'expiresAt'?: (string);
  /**
   * An existing customer's ID. Empty: none. Then `plan` can be empty: the customer's.
   */
  'customer'?: (string);
  /**
   * At most 20 pairs.
   */
  'metadata'?: ({[key: string]: string});
  /**
   * A prepared key; only for IssueKeys.
   */
  'keyId'?: (string);
  'secret'?: (string);
}

export interface IssueKeyRequest__Output {
  'kind'?: (_geolookup_auth_v1_KeyKind__Output);
  'plan'?: (string);
  'label'?: (string);
  'origins': (string)[];
  /**
   * Refused for publishable keys.
   */
  'mayForward'?: (boolean);
  /**
   * Must be in the future. Empty: never.
   */
  'expiresAt'?: (string);
  /**
   * An existing customer's ID. Empty: none. Then `plan` can be empty: the customer's.
   */
  'customer'?: (string);
  /**
   * At most 20 pairs.
   */
  'metadata'?: ({[key: string]: string});
  /**
   * A prepared key; only for IssueKeys.
   */
  'keyId'?: (string);
  'secret'?: (string);
}
