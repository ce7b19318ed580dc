// Original file: proto/auth/v1/auth.proto


export interface IssueProblem {
  /**
   * The place of the invalid request, from 0.
   */
  'index'?: (number);
  'message'?: (string);
}

export interface IssueProblem__Output {
  /**
   * The place of the invalid request, from 0.
   */
  'index'?: (number);
  'message'?: (string);
}
