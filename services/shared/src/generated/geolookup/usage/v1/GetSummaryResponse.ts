// Original file: proto/usage/v1/usage.proto

import type { Day as _geolookup_usage_v1_Day, Day__Output as _geolookup_usage_v1_Day__Output } from '../../../geolookup/usage/v1/Day.ts';
import type { KeyTotal as _geolookup_usage_v1_KeyTotal, KeyTotal__Output as _geolookup_usage_v1_KeyTotal__Output } from '../../../geolookup/usage/v1/KeyTotal.ts';
import type { Long } from '@grpc/proto-loader';

export interface GetSummaryResponse {
  /**
   * Requests in the month. More than the sum of the days once days of the month are no longer kept.
   */
  'total'?: (number | string | Long);
  /**
   * Days with requests, ascending.
   */
  'days'?: readonly (_geolookup_usage_v1_Day)[];
  /**
   * The number of keys with requests.
   */
  'keyCount'?: (number);
  /**
   * The keys with the most requests, most first.
   */
  'top'?: readonly (_geolookup_usage_v1_KeyTotal)[];
}

export interface GetSummaryResponse__Output {
  /**
   * Requests in the month. More than the sum of the days once days of the month are no longer kept.
   */
  'total'?: (number);
  /**
   * Days with requests, ascending.
   */
  'days': (_geolookup_usage_v1_Day__Output)[];
  /**
   * The number of keys with requests.
   */
  'keyCount'?: (number);
  /**
   * The keys with the most requests, most first.
   */
  'top': (_geolookup_usage_v1_KeyTotal__Output)[];
}
