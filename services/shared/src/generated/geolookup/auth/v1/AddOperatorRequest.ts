// Original file: proto/auth/v1/auth.proto


export interface AddOperatorRequest {
  'name'?: (string);
  'role'?: (string);
  /**
   * Empty: never.
   */
  'expiresAt'?: (string);
}

export interface AddOperatorRequest__Output {
  'name'?: (string);
  'role'?: (string);
  /**
   * Empty: never.
   */
  'expiresAt'?: (string);
}
