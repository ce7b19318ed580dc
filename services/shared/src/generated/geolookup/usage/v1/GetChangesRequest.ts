// Original file: proto/usage/v1/usage.proto

import type { NodeVersion as _geolookup_usage_v1_NodeVersion, NodeVersion__Output as _geolookup_usage_v1_NodeVersion__Output } from '../../../geolookup/usage/v1/NodeVersion.ts';

export interface GetChangesRequest {
  /**
   * The calling gateway's instance, whose own counts are excluded.
   */
  'instanceId'?: (string);
  /**
   * What each node has reported so far. A node finds its own entry.
   */
  'reported'?: readonly (_geolookup_usage_v1_NodeVersion)[];
}

export interface GetChangesRequest__Output {
  /**
   * The calling gateway's instance, whose own counts are excluded.
   */
  'instanceId'?: (string);
  /**
   * What each node has reported so far. A node finds its own entry.
   */
  'reported': (_geolookup_usage_v1_NodeVersion__Output)[];
}
