// Original file: proto/auth/v1/auth.proto


export interface SetOriginsRequest {
  'keyId'?: (string);
  'origins'?: readonly (string)[];
  /**
   * Nothing is changed, and the call ABORTED, when the key has another version. 0: any.
   */
  'expectedVersion'?: (number);
}

export interface SetOriginsRequest__Output {
  'keyId'?: (string);
  'origins': (string)[];
  /**
   * Nothing is changed, and the call ABORTED, when the key has another version. 0: any.
   */
  'expectedVersion'?: (number);
}
