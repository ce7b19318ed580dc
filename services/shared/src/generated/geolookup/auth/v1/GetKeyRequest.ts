// Original file: proto/auth/v1/auth.proto


export interface GetKeyRequest {
  'keyId'?: (string);
}

export interface GetKeyRequest__Output {
  'keyId'?: (string);
}
