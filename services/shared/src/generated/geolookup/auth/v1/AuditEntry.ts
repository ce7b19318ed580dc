// Original file: proto/auth/v1/auth.proto


export interface AuditEntry {
  'id'?: (string);
  'at'?: (string);
  /**
   * The operator, "plans file" or "demo".
   */
  'by'?: (string);
  /**
   * Such as "KeyIssued", "OperatorAdded" or "SignInRefused".
   */
  'action'?: (string);
  /**
   * The ID of a key, customer or operator, or "plans".
   */
  'subject'?: (string);
  /**
   * The changed properties as JSON objects. Empty: none.
   */
  'beforeJson'?: (string);
  'afterJson'?: (string);
  /**
   * How many of them this entry sums up. 0 or 1: one.
   */
  'count'?: (number);
}

export interface AuditEntry__Output {
  'id'?: (string);
  'at'?: (string);
  /**
   * The operator, "plans file" or "demo".
   */
  'by'?: (string);
  /**
   * Such as "KeyIssued", "OperatorAdded" or "SignInRefused".
   */
  'action'?: (string);
  /**
   * The ID of a key, customer or operator, or "plans".
   */
  'subject'?: (string);
  /**
   * The changed properties as JSON objects. Empty: none.
   */
  'beforeJson'?: (string);
  'afterJson'?: (string);
  /**
   * How many of them this entry sums up. 0 or 1: one.
   */
  'count'?: (number);
}
