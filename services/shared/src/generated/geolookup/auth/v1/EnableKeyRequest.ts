// Original file: proto/auth/v1/auth.proto


export interface EnableKeyRequest {
  'keyId'?: (string);
}

export interface EnableKeyRequest__Output {
  'keyId'?: (string);
}
