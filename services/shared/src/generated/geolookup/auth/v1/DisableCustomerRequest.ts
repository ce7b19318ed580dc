// Original file: proto/auth/v1/auth.proto


export interface DisableCustomerRequest {
  'id'?: (string);
  'reason'?: (string);
}

export interface DisableCustomerRequest__Output {
  'id'?: (string);
  'reason'?: (string);
}
