// Original file: proto/usage/v1/usage.proto

import type { Long } from '@grpc/proto-loader';

export interface MonthChanges {
  'month'?: (string);
  'keyIds'?: readonly (string)[];
  /**
   * In the order of key_ids.
   */
  'totals'?: readonly (number | string | Long)[];
}

export interface MonthChanges__Output {
  'month'?: (string);
  'keyIds': (string)[];
  /**
   * In the order of key_ids.
   */
  'totals': (number)[];
}
