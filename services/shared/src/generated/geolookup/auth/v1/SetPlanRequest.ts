// Original file: proto/auth/v1/auth.proto


export interface SetPlanRequest {
  'keyId'?: (string);
  'plan'?: (string);
  'expectedVersion'?: (number);
}

export interface SetPlanRequest__Output {
  'keyId'?: (string);
  'plan'?: (string);
  'expectedVersion'?: (number);
}
