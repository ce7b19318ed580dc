// Original file: proto/geo/v1/geo.proto


export interface LocateRequest {
  /**
   * Textual addresses in canonical form (dotted IPv4 or RFC 5952 IPv6).
   */
  'addresses'?: readonly (string)[];
  /**
   * Requests `records`. Old gateways don't set it, and old nodes ignore it and return `results`. During an upgrade, both
   * occur.
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
   * Requests `records`. Old gateways don't set it, and old nodes ignore it and return `results`. During an upgrade, both
   * occur.
   */
  'wantsRecords'?: (boolean);
  /**
   * Requests `records.accuracies`, too.
   */
  'wantsAccuracies'?: (boolean);
}
