// Original file: proto/auth/v1/auth.proto


export interface Operator {
  'name'?: (string);
  /**
   * "viewer", "operator" or "admin".
   */
  'role'?: (string);
  'createdAt'?: (string);
  /**
   * When its token expires. Unset: never.
   */
  'expiresAt'?: (string);
  'removedAt'?: (string);
  'version'?: (number);
  '_expiresAt'?: "expiresAt";
  '_removedAt'?: "removedAt";
}

export interface Operator__Output {
  'name'?: (string);
  /**
   * "viewer", "operator" or "admin".
   */
  'role'?: (string);
  'createdAt'?: (string);
  /**
   * When its token expires. Unset: never.
   */
  'expiresAt'?: (string);
  'removedAt'?: (string);
  'version'?: (number);
}
