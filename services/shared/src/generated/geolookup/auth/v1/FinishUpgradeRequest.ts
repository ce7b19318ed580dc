// Original file: proto/auth/v1/auth.proto


export interface FinishUpgradeRequest {
  /**
   * The version that the caller has found in every process, such as "0.3.0".
   */
  'version'?: (string);
}

export interface FinishUpgradeRequest__Output {
  /**
   * The version that the caller has found in every process, such as "0.3.0".
   */
  'version'?: (string);
}
