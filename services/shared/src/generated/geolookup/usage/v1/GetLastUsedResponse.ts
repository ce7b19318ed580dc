// Original file: proto/usage/v1/usage.proto


export interface GetLastUsedResponse {
  /**
   * "YYYY-MM-DD", UTC, or "YYYY-MM" once the days of that month are no longer kept. Empty: never.
   */
  'days'?: readonly (string)[];
}

export interface GetLastUsedResponse__Output {
  /**
   * "YYYY-MM-DD", UTC, or "YYYY-MM" once the days of that month are no longer kept. Empty: never.
   */
  'days': (string)[];
}
