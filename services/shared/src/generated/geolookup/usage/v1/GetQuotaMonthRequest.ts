// Original file: proto/usage/v1/usage.proto


export interface GetQuotaMonthRequest {
  /**
   * The ID of a key or a customer.
   */
  'quotaId'?: (string);
  'month'?: (string);
}

export interface GetQuotaMonthRequest__Output {
  /**
   * The ID of a key or a customer.
   */
  'quotaId'?: (string);
  'month'?: (string);
}
