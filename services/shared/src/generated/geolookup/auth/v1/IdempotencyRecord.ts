// Original file: proto/auth/v1/auth.proto

import type { Long } from '@grpc/proto-loader';

export interface IdempotencyRecord {
  /**
   * 64 lower-case hexadecimal digits.
   */
  'name'?: (string);
  'json'?: (string);
  'revision'?: (number | string | Long);
}

export interface IdempotencyRecord__Output {
  /**
   * 64 lower-case hexadecimal digits.
   */
  'name'?: (string);
  'json'?: (string);
  'revision'?: (number);
}
