// Original file: proto/auth/v1/auth.proto


export interface SetLabelRequest {
  'keyId'?: (string);
  'label'?: (string);
  /**
   * The call is ABORTED if the key has another version. 0: any.
   */
  'expectedVersion'?: (number);
}

export interface SetLabelRequest__Output {
  'keyId'?: (string);
  'label'?: (string);
  /**
   * The call is ABORTED if the key has another version. 0: any.
   */
  'expectedVersion'?: (number);
}
