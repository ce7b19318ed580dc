// Original file: proto/usage/v1/usage.proto

import type { HourCount as _geolookup_usage_v1_HourCount, HourCount__Output as _geolookup_usage_v1_HourCount__Output } from '../../../geolookup/usage/v1/HourCount.ts';
import type { Long } from '@grpc/proto-loader';

export interface GetHoursResponse {
  /**
   * Since when the counts are complete, in milliseconds since the Unix epoch.
   */
  'sinceMs'?: (number | string | Long);
  'counts'?: readonly (_geolookup_usage_v1_HourCount)[];
}

export interface GetHoursResponse__Output {
  /**
   * Since when the counts are complete, in milliseconds since the Unix epoch.
   */
  'sinceMs'?: (number);
  'counts': (_geolookup_usage_v1_HourCount__Output)[];
}
