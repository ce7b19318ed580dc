// Original file: proto/auth/v1/auth.proto


export interface SetPlanRequest {
  'keyId'?: (string);
  'plan'?: (string);
  /**
   * The call is ABORTED if the key has another version. 0: any.
   */
  'expectedVersion'?: (number);
}

export interface SetPlanRequest__Output {
  'keyId'?: (string);
  'plan'?: (string);
  /**
   * The call is ABORTED if the key has another version. 0: any.
   */
  'expectedVersion'?: (number);
}
