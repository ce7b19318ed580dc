// Original file: proto/auth/v1/auth.proto


export interface FinishUpgradeResponse {
  'version'?: (string);
  /**
   * When it was recorded.
   */
  'at'?: (string);
}

export interface FinishUpgradeResponse__Output {
  'version'?: (string);
  /**
   * When it was recorded.
   */
  'at'?: (string);
}
