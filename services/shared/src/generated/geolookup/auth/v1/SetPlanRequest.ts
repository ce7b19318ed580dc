// Original file: proto/auth/v1/auth.proto


export interface SetPlanRequest {
  'keyId'?: (string);
  'plan'?: (string);
  /**
   * Nothing is changed, and the call ABORTED, when the key has another version. 0: any.
   */
  'expectedVersion'?: (number);
}

export interface SetPlanRequest__Output {
  'keyId'?: (string);
  'plan'?: (string);
  /**
   * Nothing is changed, and the call ABORTED, when the key has another version. 0: any.
   */
  'expectedVersion'?: (number);
}
