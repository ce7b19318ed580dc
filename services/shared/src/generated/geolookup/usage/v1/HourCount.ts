// Original file: proto/usage/v1/usage.proto

import type { Long } from '@grpc/proto-loader';

export interface HourCount {
  /**
   * In milliseconds since the Unix epoch.
   */
  'startMs'?: (number | string | Long);
  /**
   * An error code, or "ok".
   */
  'code'?: (string);
  'requests'?: (number | string | Long);
}

export interface HourCount__Output {
  /**
   * In milliseconds since the Unix epoch.
   */
  'startMs'?: (number);
  /**
   * An error code, or "ok".
   */
  'code'?: (string);
  'requests'?: (number);
}
