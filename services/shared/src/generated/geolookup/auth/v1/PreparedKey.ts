// Original file: proto/auth/v1/auth.proto


export interface PreparedKey {
  'keyId'?: (string);
  /**
   * The full key.
   */
  'secret'?: (string);
}

export interface PreparedKey__Output {
  'keyId'?: (string);
  /**
   * The full key.
   */
  'secret'?: (string);
}
