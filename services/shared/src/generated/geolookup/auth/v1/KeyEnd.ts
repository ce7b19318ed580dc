// Original file: proto/auth/v1/auth.proto


/**
 * Why and since when a key has no active record.
 */
export interface KeyEnd {
  /**
   * "expired", "disabled" or "rotated".
   */
  'how'?: (string);
  'at'?: (string);
}

/**
 * Why and since when a key has no active record.
 */
export interface KeyEnd__Output {
  /**
   * "expired", "disabled" or "rotated".
   */
  'how'?: (string);
  'at'?: (string);
}
