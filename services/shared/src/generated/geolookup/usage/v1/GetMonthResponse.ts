// Original file: proto/usage/v1/usage.proto

import type { Day as _geolookup_usage_v1_Day, Day__Output as _geolookup_usage_v1_Day__Output } from '../../../geolookup/usage/v1/Day.ts';
import type { Refusals as _geolookup_usage_v1_Refusals, Refusals__Output as _geolookup_usage_v1_Refusals__Output } from '../../../geolookup/usage/v1/Refusals.ts';
import type { Long } from '@grpc/proto-loader';

export interface GetMonthResponse {
  'keyId'?: (string);
  'month'?: (string);
  'total'?: (number | string | Long);
  /**
   * Days with requests, ascending.
   */
  'days'?: readonly (_geolookup_usage_v1_Day)[];
  /**
   * Refused requests, the most frequent code first. Only of GetMonth.
   */
  'refusals'?: readonly (_geolookup_usage_v1_Refusals)[];
}

export interface GetMonthResponse__Output {
  'keyId'?: (string);
  'month'?: (string);
  'total'?: (number);
  /**
   * Days with requests, ascending.
   */
  'days': (_geolookup_usage_v1_Day__Output)[];
  /**
   * Refused requests, the most frequent code first. Only of GetMonth.
   */
  'refusals': (_geolookup_usage_v1_Refusals__Output)[];
}
