// Original file: proto/usage/v1/usage.proto

import type { Long } from '@grpc/proto-loader';

export interface MonthChanges {
  /**
   * "YYYY-MM", UTC.
   */
  'month'?: (string);
  /**
   * The IDs of quotas: of a key or a customer.
   */
  'keyIds'?: readonly (string)[];
  /**
   * In the order of key_ids.
   */
  'totals'?: readonly (number | string | Long)[];
}

export interface MonthChanges__Output {
  /**
   * "YYYY-MM", UTC.
   */
  'month'?: (string);
  /**
   * The IDs of quotas: of a key or a customer.
   */
  'keyIds': (string)[];
  /**
   * In the order of key_ids.
   */
  'totals': (number)[];
}
