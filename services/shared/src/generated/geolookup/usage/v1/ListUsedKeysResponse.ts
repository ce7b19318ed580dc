// Original file: proto/usage/v1/usage.proto

import type { Long } from '@grpc/proto-loader';

export interface ListUsedKeysResponse {
  /**
   * In no particular order.
   */
  'keyIds'?: readonly (string)[];
  /**
   * In the order of key_ids.
   */
  'totals'?: readonly (number | string | Long)[];
}

export interface ListUsedKeysResponse__Output {
  /**
   * In no particular order.
   */
  'keyIds': (string)[];
  /**
   * In the order of key_ids.
   */
  'totals': (number)[];
}
