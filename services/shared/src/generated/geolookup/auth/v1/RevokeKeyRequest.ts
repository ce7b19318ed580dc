// Original file: proto/auth/v1/auth.proto


export interface RevokeKeyRequest {
  'keyId'?: (string);
  'reason'?: (string);
}

export interface RevokeKeyRequest__Output {
  'keyId'?: (string);
  'reason'?: (string);
}
