// Original file: proto/envoy/service/auth/v3/external_auth.proto


export interface Status {
  'code'?: (number);
}

export interface Status__Output {
  'code'?: (number);
}
