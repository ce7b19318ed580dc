// Original file: proto/usage/v1/usage.proto

import type { Long } from '@grpc/proto-loader';

export interface Day {
  /**
   * "YYYY-MM-DD", UTC.
   */
  'day'?: (string);
  'requests'?: (number | string | Long);
}

export interface Day__Output {
  /**
   * "YYYY-MM-DD", UTC.
   */
  'day'?: (string);
  'requests'?: (number);
}
