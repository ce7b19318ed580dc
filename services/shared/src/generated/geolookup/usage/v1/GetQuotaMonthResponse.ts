// Original file: proto/usage/v1/usage.proto

import type { Day as _geolookup_usage_v1_Day, Day__Output as _geolookup_usage_v1_Day__Output } from '../../../geolookup/usage/v1/Day.ts';
import type { KeyTotal as _geolookup_usage_v1_KeyTotal, KeyTotal__Output as _geolookup_usage_v1_KeyTotal__Output } from '../../../geolookup/usage/v1/KeyTotal.ts';
import type { Long } from '@grpc/proto-loader';

export interface GetQuotaMonthResponse {
  'total'?: (number | string | Long);
  /**
   * Days with requests, ascending.
   */
  'days'?: readonly (_geolookup_usage_v1_Day)[];
  /**
   * Its keys with requests, most first, at most 1,000.
   */
  'keys'?: readonly (_geolookup_usage_v1_KeyTotal)[];
}

export interface GetQuotaMonthResponse__Output {
  'total'?: (number);
  /**
   * Days with requests, ascending.
   */
  'days': (_geolookup_usage_v1_Day__Output)[];
  /**
   * Its keys with requests, most first, at most 1,000.
   */
  'keys': (_geolookup_usage_v1_KeyTotal__Output)[];
}
