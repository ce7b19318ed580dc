// Original file: proto/auth/v1/auth.proto


export interface GetHistoryRequest {
  /**
   * "plans": the changes of the plans.
   */
  'keyId'?: (string);
}

export interface GetHistoryRequest__Output {
  /**
   * "plans": the changes of the plans.
   */
  'keyId'?: (string);
}
