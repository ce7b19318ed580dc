// Original file: proto/auth/v1/auth.proto


export interface ConfirmPlansRequest {
  /**
   * The hash of the held content.
   */
  'hash'?: (string);
}

export interface ConfirmPlansRequest__Output {
  /**
   * The hash of the held content.
   */
  'hash'?: (string);
}
