// Original file: proto/usage/v1/usage.proto

import type { NodeVersion as _geolookup_usage_v1_NodeVersion, NodeVersion__Output as _geolookup_usage_v1_NodeVersion__Output } from '../../../geolookup/usage/v1/NodeVersion.ts';
import type { MonthChanges as _geolookup_usage_v1_MonthChanges, MonthChanges__Output as _geolookup_usage_v1_MonthChanges__Output } from '../../../geolookup/usage/v1/MonthChanges.ts';
import type { Long } from '@grpc/proto-loader';

export interface GetChangesResponse {
  'upTo'?: (_geolookup_usage_v1_NodeVersion | null);
  /**
   * How far in the log this node has read.
   */
  'position'?: (number | string | Long);
  /**
   * Whether these are all totals that grew after what the node told before. It is not when it does not find itself in
   * the request, or was last asked too long ago: then there are none, and any may have grown.
   */
  'isComplete'?: (boolean);
  /**
   * Whether there are more: to be asked for at once.
   */
  'hasMore'?: (boolean);
  'months'?: readonly (_geolookup_usage_v1_MonthChanges)[];
}

export interface GetChangesResponse__Output {
  'upTo'?: (_geolookup_usage_v1_NodeVersion__Output);
  /**
   * How far in the log this node has read.
   */
  'position'?: (number);
  /**
   * Whether these are all totals that grew after what the node told before. It is not when it does not find itself in
   * the request, or was last asked too long ago: then there are none, and any may have grown.
   */
  'isComplete'?: (boolean);
  /**
   * Whether there are more: to be asked for at once.
   */
  'hasMore'?: (boolean);
  'months': (_geolookup_usage_v1_MonthChanges__Output)[];
}
