// Original file: proto/auth/v1/auth.proto


export interface FinishUpgradeResponse {
  'version'?: (string);
  /**
   * When it was recorded. RFC 3339, UTC.
   */
  'at'?: (string);
}

export interface FinishUpgradeResponse__Output {
  'version'?: (string);
  /**
   * When it was recorded. RFC 3339, UTC.
   */
  'at'?: (string);
}
