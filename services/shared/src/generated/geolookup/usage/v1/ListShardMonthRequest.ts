// Original file: proto/usage/v1/usage.proto


export interface ListShardMonthRequest {
  /**
   * From 0 to 63.
   */
  'shard'?: (number);
  'month'?: (string);
}

export interface ListShardMonthRequest__Output {
  /**
   * From 0 to 63.
   */
  'shard'?: (number);
  'month'?: (string);
}
