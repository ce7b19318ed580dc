// Original file: proto/auth/v1/auth.proto


export interface ListCustomersRequest {
  /**
   * A part of the ID or name; case-insensitive. Empty: any.
   */
  'search'?: (string);
  /**
   * The maximum number, at most 1000. 0: 100.
   */
  'pageSize'?: (number);
  'pageToken'?: (string);
}

export interface ListCustomersRequest__Output {
  /**
   * A part of the ID or name; case-insensitive. Empty: any.
   */
  'search'?: (string);
  /**
   * The maximum number, at most 1000. 0: 100.
   */
  'pageSize'?: (number);
  'pageToken'?: (string);
}
