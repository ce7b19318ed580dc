// Original file: proto/usage/v1/usage.proto


export interface GetMonthRequest {
  'keyId'?: (string);
  /**
   * "YYYY-MM", UTC.
   */
  'month'?: (string);
}

export interface GetMonthRequest__Output {
  'keyId'?: (string);
  /**
   * "YYYY-MM", UTC.
   */
  'month'?: (string);
}
