// Original file: proto/geo/v1/geo.proto


export interface LocateRequest {
  /**
   * Textual addresses, canonical form (dotted IPv4 or RFC 5952 IPv6).
   */
  'addresses'?: readonly (string)[];
  /**
   * Asks for `records`. Gateways from before there were any do not, and nodes from before answer with `results` all the
   * same: either may be the older one while a cluster is upgraded.
   */
  'wantsRecords'?: (boolean);
}

export interface LocateRequest__Output {
  /**
   * Textual addresses, canonical form (dotted IPv4 or RFC 5952 IPv6).
   */
  'addresses': (string)[];
  /**
   * Asks for `records`. Gateways from before there were any do not, and nodes from before answer with `results` all the
   * same: either may be the older one while a cluster is upgraded.
   */
  'wantsRecords'?: (boolean);
}
