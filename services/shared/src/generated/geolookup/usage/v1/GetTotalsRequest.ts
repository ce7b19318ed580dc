// Original file: proto/usage/v1/usage.proto

import type { Long } from '@grpc/proto-loader';

export interface GetTotalsRequest {
  /**
   * The boot that asks: its own counts are left out.
   */
  'bootId'?: (string);
  /**
   * "YYYY-MM", UTC.
   */
  'month'?: (string);
  'keyIds'?: readonly (string)[];
  /**
   * A position of the log that the answer should include: it waits a moment for that, not for ever.
   */
  'position'?: (number | string | Long);
}

export interface GetTotalsRequest__Output {
  /**
   * The boot that asks: its own counts are left out.
   */
  'bootId'?: (string);
  /**
   * "YYYY-MM", UTC.
   */
  'month'?: (string);
  'keyIds': (string)[];
  /**
   * A position of the log that the answer should include: it waits a moment for that, not for ever.
   */
  'position'?: (number);
}
