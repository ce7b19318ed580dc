// Original file: proto/usage/v1/usage.proto

import type { Long } from '@grpc/proto-loader';

export interface KeyTotal {
  'keyId'?: (string);
  'total'?: (number | string | Long);
}

export interface KeyTotal__Output {
  'keyId'?: (string);
  'total'?: (number);
}
