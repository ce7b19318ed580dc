// Original file: proto/auth/v1/auth.proto


export interface SetCustomerRequest {
  'keyId'?: (string);
  /**
   * Empty: none.
   */
  'customer'?: (string);
  'expectedVersion'?: (number);
}

export interface SetCustomerRequest__Output {
  'keyId'?: (string);
  /**
   * Empty: none.
   */
  'customer'?: (string);
  'expectedVersion'?: (number);
}
