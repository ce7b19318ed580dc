// Original file: proto/auth/v1/auth.proto


export interface StopKeyRequest {
  'keyId'?: (string);
  'reason'?: (string);
}

export interface StopKeyRequest__Output {
  'keyId'?: (string);
  'reason'?: (string);
}
