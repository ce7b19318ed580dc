// Original file: proto/auth/v1/auth.proto


export interface CheckPlansRequest {
  /**
   * The content of a plans file.
   */
  'text'?: (string);
}

export interface CheckPlansRequest__Output {
  /**
   * The content of a plans file.
   */
  'text'?: (string);
}
