// Original file: proto/auth/v1/auth.proto


export interface Event {
  'id'?: (string);
  'type'?: (string);
  'keyId'?: (string);
  'version'?: (number);
  'at'?: (string);
  'by'?: (string);
  /**
   * The event's data as JSON.
   */
  'dataJson'?: (string);
}

export interface Event__Output {
  'id'?: (string);
  'type'?: (string);
  'keyId'?: (string);
  'version'?: (number);
  'at'?: (string);
  'by'?: (string);
  /**
   * The event's data as JSON.
   */
  'dataJson'?: (string);
}
