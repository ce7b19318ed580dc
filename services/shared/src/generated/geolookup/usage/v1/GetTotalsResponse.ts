// Original file: proto/usage/v1/usage.proto

import type { Long } from '@grpc/proto-loader';

export interface GetTotalsResponse {
  'totals'?: readonly (number | string | Long)[];
  /**
   * The position in the log up to which this node has read.
   */
  'position'?: (number | string | Long);
}

export interface GetTotalsResponse__Output {
  'totals': (number)[];
  /**
   * The position in the log up to which this node has read.
   */
  'position'?: (number);
}
