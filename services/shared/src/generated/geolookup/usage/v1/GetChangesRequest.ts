// Original file: proto/usage/v1/usage.proto

import type { NodeVersion as _geolookup_usage_v1_NodeVersion, NodeVersion__Output as _geolookup_usage_v1_NodeVersion__Output } from '../../../geolookup/usage/v1/NodeVersion.ts';

export interface GetChangesRequest {
  /**
   * The boot that asks: its own counts are left out.
   */
  'bootId'?: (string);
  /**
   * What nodes have answered so far; the one that is asked looks for itself.
   */
  'told'?: readonly (_geolookup_usage_v1_NodeVersion)[];
}

export interface GetChangesRequest__Output {
  /**
   * The boot that asks: its own counts are left out.
   */
  'bootId'?: (string);
  /**
   * What nodes have answered so far; the one that is asked looks for itself.
   */
  'told': (_geolookup_usage_v1_NodeVersion__Output)[];
}
