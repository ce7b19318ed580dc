// Original file: proto/auth/v1/auth.proto


export interface GetRecordRequest {
  'name'?: (string);
}

export interface GetRecordRequest__Output {
  'name'?: (string);
}
