// Original file: proto/auth/v1/auth.proto


export interface SetOriginsRequest {
  'keyId'?: (string);
  'origins'?: readonly (string)[];
  /**
   * The call is ABORTED if the key has another version. 0: any.
   */
  'expectedVersion'?: (number);
}

export interface SetOriginsRequest__Output {
  'keyId'?: (string);
  'origins': (string)[];
  /**
   * The call is ABORTED if the key has another version. 0: any.
   */
  'expectedVersion'?: (number);
}
