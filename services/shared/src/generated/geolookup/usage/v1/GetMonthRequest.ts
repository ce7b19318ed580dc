// Original file: proto/usage/v1/usage.proto


export interface GetMonthRequest {
  'keyId'?: (string);
  'month'?: (string);
}

export interface GetMonthRequest__Output {
  'keyId'?: (string);
  'month'?: (string);
}
