// Original file: proto/usage/v1/usage.proto

import type { Long } from '@grpc/proto-loader';

export interface MonthChanges {
  /**
   * "YYYY-MM", UTC.
   */
  'month'?: (string);
  'keyIds'?: readonly (string)[];
  /**
   * In their order.
   */
  'totals'?: readonly (number | string | Long)[];
}

export interface MonthChanges__Output {
  /**
   * "YYYY-MM", UTC.
   */
  'month'?: (string);
  'keyIds': (string)[];
  /**
   * In their order.
   */
  'totals': (number)[];
}
