// Original file: proto/usage/v1/usage.proto


export interface GetLastUsedRequest {
  /**
   * At most 1,000.
   */
  'keyIds'?: readonly (string)[];
}

export interface GetLastUsedRequest__Output {
  /**
   * At most 1,000.
   */
  'keyIds': (string)[];
}
