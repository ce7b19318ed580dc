// Original file: proto/usage/v1/usage.proto

import type { Long } from '@grpc/proto-loader';

export interface GetTotalsRequest {
  /**
   * The calling gateway's instance, whose own counts are excluded.
   */
  'instanceId'?: (string);
  'month'?: (string);
  'keyIds'?: readonly (string)[];
  /**
   * A position in the log that the totals should include. The node waits for it, but only briefly.
   */
  'position'?: (number | string | Long);
}

export interface GetTotalsRequest__Output {
  /**
   * The calling gateway's instance, whose own counts are excluded.
   */
  'instanceId'?: (string);
  'month'?: (string);
  'keyIds': (string)[];
  /**
   * A position in the log that the totals should include. The node waits for it, but only briefly.
   */
  'position'?: (number);
}
