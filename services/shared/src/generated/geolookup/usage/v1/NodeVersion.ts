// Original file: proto/usage/v1/usage.proto

import type { Long } from '@grpc/proto-loader';

/**
 * How far a node has told what changed. Each start of a node has an id of its own.
 */
export interface NodeVersion {
  'nodeId'?: (string);
  'version'?: (number | string | Long);
}

/**
 * How far a node has told what changed. Each start of a node has an id of its own.
 */
export interface NodeVersion__Output {
  'nodeId'?: (string);
  'version'?: (number);
}
