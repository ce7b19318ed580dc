// Original file: proto/auth/v1/auth.proto


export interface GetHistoryRequest {
  'keyId'?: (string);
}

export interface GetHistoryRequest__Output {
  'keyId'?: (string);
}
