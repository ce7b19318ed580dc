// Original file: proto/geo/v1/geo.proto


export interface LocateRequest {
  /**
   * Textual addresses in canonical form (dotted IPv4 or RFC 5952 IPv6).
   */
  'addresses'?: readonly (string)[];
  /**
   * Always set: nodes of version 0.1 return no records without it.
   */
  'wantsRecords'?: (boolean);
  /**
   * Requests `records.accuracies`, too.
   */
  'wantsAccuracies'?: (boolean);
}

export interface LocateRequest__Output {
  /**
   * Textual addresses in canonical form (dotted IPv4 or RFC 5952 IPv6).
   */
  'addresses': (string)[];
  /**
   * Always set: nodes of version 0.1 return no records without it.
   */
  'wantsRecords'?: (boolean);
  /**
   * Requests `records.accuracies`, too.
   */
  'wantsAccuracies'?: (boolean);
}
