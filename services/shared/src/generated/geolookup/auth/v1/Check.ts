// Original file: proto/auth/v1/auth.proto


export interface Check {
  'key'?: (string);
  /**
   * The Origin header as received. Unset if there was none.
   */
  'origin'?: (string);
  /**
   * The Referer header as received. Unset if there was none.
   */
  'referer'?: (string);
  '_origin'?: "origin";
  '_referer'?: "referer";
}

export interface Check__Output {
  'key'?: (string);
  /**
   * The Origin header as received. Unset if there was none.
   */
  'origin'?: (string);
  /**
   * The Referer header as received. Unset if there was none.
   */
  'referer'?: (string);
}
