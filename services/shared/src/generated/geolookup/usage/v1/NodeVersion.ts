// Original file: proto/usage/v1/usage.proto

import type { Long } from '@grpc/proto-loader';

/**
 * How many changes a node has reported. A node gets a new ID at every start.
 */
export interface NodeVersion {
  'nodeId'?: (string);
  'version'?: (number | string | Long);
}

/**
 * How many changes a node has reported. A node gets a new ID at every start.
 */
export interface NodeVersion__Output {
  'nodeId'?: (string);
  'version'?: (number);
}
