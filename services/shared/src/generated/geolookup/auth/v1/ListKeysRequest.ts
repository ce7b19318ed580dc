// Original file: proto/auth/v1/auth.proto

import type { KeyKind as _geolookup_auth_v1_KeyKind, KeyKind__Output as _geolookup_auth_v1_KeyKind__Output } from '../../../geolookup/auth/v1/KeyKind.ts';

export interface ListKeysRequest {
  /**
   * A part of the key ID, label, display form, an origin or a metadata value, or "name=value" of a metadata pair, or "name=" of any;
   * case-insensitive.
   * Empty: any.
   */
  'search'?: (string);
  /**
   * Unspecified: both.
   */
  'kind'?: (_geolookup_auth_v1_KeyKind);
  /**
   * Empty: any.
   */
  'plan'?: (string);
  /**
   * A status of keys. Empty: any.
   */
  'status'?: (string);
  /**
   * The maximum number of keys, at most 1000. 0: 100.
   */
  'pageSize'?: (number);
  /**
   * The next_page_token of the previous page. Empty: the first page.
   */
  'pageToken'?: (string);
  /**
   * "issued", "label", "kind", "plan" or "status". Empty: "issued". Keys that are equal are in the order of issue.
   */
  'sort'?: (string);
  /**
   * Reverses the order.
   */
  'isDescending'?: (boolean);
  /**
   * Only these keys, in this order, at most 1000. `sort` is ignored. Empty: all keys.
   */
  'keyIds'?: readonly (string)[];
  /**
   * Only keys of this customer. Empty: any.
   */
  'customer'?: (string);
}

export interface ListKeysRequest__Output {
  /**
   * A part of the key ID, label, display form, an origin or a metadata value, or "name=value" of a metadata pair, or "name=" of any;
   * case-insensitive.
   * Empty: any.
   */
  'search'?: (string);
  /**
   * Unspecified: both.
   */
  'kind'?: (_geolookup_auth_v1_KeyKind__Output);
  /**
   * Empty: any.
   */
  'plan'?: (string);
  /**
   * A status of keys. Empty: any.
   */
  'status'?: (string);
  /**
   * The maximum number of keys, at most 1000. 0: 100.
   */
  'pageSize'?: (number);
  /**
   * The next_page_token of the previous page. Empty: the first page.
   */
  'pageToken'?: (string);
  /**
   * "issued", "label", "kind", "plan" or "status". Empty: "issued". Keys that are equal are in the order of issue.
   */
  'sort'?: (string);
  /**
   * Reverses the order.
   */
  'isDescending'?: (boolean);
  /**
   * Only these keys, in this order, at most 1000. `sort` is ignored. Empty: all keys.
   */
  'keyIds': (string)[];
  /**
   * Only keys of this customer. Empty: any.
   */
  'customer'?: (string);
}
