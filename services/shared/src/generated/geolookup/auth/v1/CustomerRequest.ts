// Original file: proto/auth/v1/auth.proto


export interface CustomerRequest {
  'id'?: (string);
}

export interface CustomerRequest__Output {
  'id'?: (string);
}
