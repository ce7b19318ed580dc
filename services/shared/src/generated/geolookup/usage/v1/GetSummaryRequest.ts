// Original file: proto/usage/v1/usage.proto


export interface GetSummaryRequest {
  'month'?: (string);
  /**
   * How many of the busiest keys to return, at most 1000.
   */
  'top'?: (number);
}

export interface GetSummaryRequest__Output {
  'month'?: (string);
  /**
   * How many of the busiest keys to return, at most 1000.
   */
  'top'?: (number);
}
