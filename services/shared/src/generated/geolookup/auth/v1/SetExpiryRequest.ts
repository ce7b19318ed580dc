// Original file: proto/auth/v1/auth.proto


export interface SetExpiryRequest {
  'keyId'?: (string);
  /**
   * Empty: never.
   */
  'expiresAt'?: (string);
  'expectedVersion'?: (number);
}

export interface SetExpiryRequest__Output {
  'keyId'?: (string);
  /**
   * Empty: never.
   */
  'expiresAt'?: (string);
  'expectedVersion'?: (number);
}
