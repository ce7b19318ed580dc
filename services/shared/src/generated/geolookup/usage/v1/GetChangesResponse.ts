// Original file: proto/usage/v1/usage.proto

import type { NodeVersion as _geolookup_usage_v1_NodeVersion, NodeVersion__Output as _geolookup_usage_v1_NodeVersion__Output } from '../../../geolookup/usage/v1/NodeVersion.ts';
import type { MonthChanges as _geolookup_usage_v1_MonthChanges, MonthChanges__Output as _geolookup_usage_v1_MonthChanges__Output } from '../../../geolookup/usage/v1/MonthChanges.ts';
import type { Long } from '@grpc/proto-loader';

export interface GetChangesResponse {
  'upTo'?: (_geolookup_usage_v1_NodeVersion | null);
  /**
   * The position in the log up to which this node has read.
   */
  'position'?: (number | string | Long);
  /**
   * Whether these are all totals that grew since this node's last report. False if the node isn't in the request, or its
   * last report is too old: then `months` is empty, and any total may have grown.
   */
  'isComplete'?: (boolean);
  /**
   * Whether there are more changes, to be requested at once.
   */
  'hasMore'?: (boolean);
  'months'?: readonly (_geolookup_usage_v1_MonthChanges)[];
}

export interface GetChangesResponse__Output {
  'upTo'?: (_geolookup_usage_v1_NodeVersion__Output);
  /**
   * The position in the log up to which this node has read.
   */
  'position'?: (number);
  /**
   * Whether these are all totals that grew since this node's last report. False if the node isn't in the request, or its
   * last report is too old: then `months` is empty, and any total may have grown.
   */
  'isComplete'?: (boolean);
  /**
   * Whether there are more changes, to be requested at once.
   */
  'hasMore'?: (boolean);
  'months': (_geolookup_usage_v1_MonthChanges__Output)[];
}
