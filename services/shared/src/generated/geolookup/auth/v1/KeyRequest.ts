// Original file: proto/auth/v1/auth.proto


export interface KeyRequest {
  'keyId'?: (string);
}

export interface KeyRequest__Output {
  'keyId'?: (string);
}
