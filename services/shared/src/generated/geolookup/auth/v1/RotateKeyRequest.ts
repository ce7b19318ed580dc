// Original file: proto/auth/v1/auth.proto

import type { Long } from '@grpc/proto-loader';

export interface RotateKeyRequest {
  /**
   * Key ID or full key.
   */
  'keyId'?: (string);
  /**
   * How long both keys work. 0: the rotated key ends at once.
   */
  'overlapSeconds'?: (number | string | Long);
  'expectedVersion'?: (number);
}

export interface RotateKeyRequest__Output {
  /**
   * Key ID or full key.
   */
  'keyId'?: (string);
  /**
   * How long both keys work. 0: the rotated key ends at once.
   */
  'overlapSeconds'?: (number);
  'expectedVersion'?: (number);
}
