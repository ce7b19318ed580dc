// Original file: proto/usage/v1/usage.proto

import type { Long } from '@grpc/proto-loader';

export interface ListUsedKeysRequest {
  /**
   * From 0 to 63.
   */
  'shard'?: (number);
  /**
   * "YYYY-MM", UTC. Empty: all months together.
   */
  'month'?: (string);
  /**
   * Only keys with at least this many requests. 0: 1.
   */
  'atLeast'?: (number | string | Long);
}

export interface ListUsedKeysRequest__Output {
  /**
   * From 0 to 63.
   */
  'shard'?: (number);
  /**
   * "YYYY-MM", UTC. Empty: all months together.
   */
  'month'?: (string);
  /**
   * Only keys with at least this many requests. 0: 1.
   */
  'atLeast'?: (number);
}
