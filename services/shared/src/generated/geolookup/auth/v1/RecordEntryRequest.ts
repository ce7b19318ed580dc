// Original file: proto/auth/v1/auth.proto


export interface RecordEntryRequest {
  /**
   * "SignedIn", "SignedOut" or "SignInRefused".
   */
  'action'?: (string);
  /**
   * Who signed in: the operator's name. Empty: unknown.
   */
  'by'?: (string);
  /**
   * How: "token", "admin" (ADMIN_TOKEN), "proxy" or "oidc".
   */
  'subject'?: (string);
}

export interface RecordEntryRequest__Output {
  /**
   * "SignedIn", "SignedOut" or "SignInRefused".
   */
  'action'?: (string);
  /**
   * Who signed in: the operator's name. Empty: unknown.
   */
  'by'?: (string);
  /**
   * How: "token", "admin" (ADMIN_TOKEN), "proxy" or "oidc".
   */
  'subject'?: (string);
}
