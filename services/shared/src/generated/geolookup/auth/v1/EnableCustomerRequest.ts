// Original file: proto/auth/v1/auth.proto


export interface EnableCustomerRequest {
  'id'?: (string);
}

export interface EnableCustomerRequest__Output {
  'id'?: (string);
}
