// Original file: proto/auth/v1/auth.proto


export interface FindKeysRequest {
  /**
   * At most 1,000.
   */
  'texts'?: readonly (string)[];
}

export interface FindKeysRequest__Output {
  /**
   * At most 1,000.
   */
  'texts': (string)[];
}
