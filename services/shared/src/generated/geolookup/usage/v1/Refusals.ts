// Original file: proto/usage/v1/usage.proto

import type { Day as _geolookup_usage_v1_Day, Day__Output as _geolookup_usage_v1_Day__Output } from '../../../geolookup/usage/v1/Day.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Requests that were refused with an error code.
 */
export interface Refusals {
  'code'?: (string);
  'total'?: (number | string | Long);
  /**
   * Days with refused requests, ascending.
   */
  'days'?: readonly (_geolookup_usage_v1_Day)[];
}

/**
 * Requests that were refused with an error code.
 */
export interface Refusals__Output {
  'code'?: (string);
  'total'?: (number);
  /**
   * Days with refused requests, ascending.
   */
  'days': (_geolookup_usage_v1_Day__Output)[];
}
