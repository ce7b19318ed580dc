// Original file: proto/usage/v1/usage.proto

import type { GetMonthResponse as _geolookup_usage_v1_GetMonthResponse, GetMonthResponse__Output as _geolookup_usage_v1_GetMonthResponse__Output } from '../../../geolookup/usage/v1/GetMonthResponse.ts';

export interface ListShardMonthResponse {
  /**
   * In no particular order. Their key_id is the account.
   */
  'keys'?: readonly (_geolookup_usage_v1_GetMonthResponse)[];
}

export interface ListShardMonthResponse__Output {
  /**
   * In no particular order. Their key_id is the account.
   */
  'keys': (_geolookup_usage_v1_GetMonthResponse__Output)[];
}
