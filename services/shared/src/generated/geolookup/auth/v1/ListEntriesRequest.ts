// Original file: proto/auth/v1/auth.proto


export interface ListEntriesRequest {
  /**
   * Empty: any time.
   */
  'since'?: (string);
  'until'?: (string);
  /**
   * Empty: any.
   */
  'by'?: (string);
  'action'?: (string);
  'subject'?: (string);
  /**
   * The maximum number, at most 1000. 0: 100.
   */
  'pageSize'?: (number);
  'pageToken'?: (string);
}

export interface ListEntriesRequest__Output {
  /**
   * Empty: any time.
   */
  'since'?: (string);
  'until'?: (string);
  /**
   * Empty: any.
   */
  'by'?: (string);
  'action'?: (string);
  'subject'?: (string);
  /**
   * The maximum number, at most 1000. 0: 100.
   */
  'pageSize'?: (number);
  'pageToken'?: (string);
}
