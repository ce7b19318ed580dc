// Original file: proto/auth/v1/auth.proto


export interface ReplaceOperatorTokenRequest {
  'name'?: (string);
  'expiresAt'?: (string);
}

export interface ReplaceOperatorTokenRequest__Output {
  'name'?: (string);
  'expiresAt'?: (string);
}
