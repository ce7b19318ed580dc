// Original file: proto/usage/v1/usage.proto


export interface GetHoursRequest {
  'keyId'?: (string);
}

export interface GetHoursRequest__Output {
  'keyId'?: (string);
}
