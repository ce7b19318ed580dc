// Original file: proto/auth/v1/auth.proto


export interface GetCustomerRequest {
  'id'?: (string);
}

export interface GetCustomerRequest__Output {
  'id'?: (string);
}
