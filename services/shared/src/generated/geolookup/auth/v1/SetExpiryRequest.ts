// Original file: proto/auth/v1/auth.proto


export interface SetExpiryRequest {
  'keyId'?: (string);
  /**
   * RFC 3339, UTC. Empty: never.
   */
  'expiresAt'?: (string);
  'expectedVersion'?: (number);
}

export interface SetExpiryRequest__Output {
  'keyId'?: (string);
  /**
   * RFC 3339, UTC. Empty: never.
   */
  'expiresAt'?: (string);
  'expectedVersion'?: (number);
}
