// Original file: proto/auth/v1/auth.proto


export interface DisableKeyRequest {
  'keyId'?: (string);
  'reason'?: (string);
}

export interface DisableKeyRequest__Output {
  'keyId'?: (string);
  'reason'?: (string);
}
