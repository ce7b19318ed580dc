// Original file: proto/geo/v1/geo.proto


export interface DataVersion {
  /**
   * Such as "v3".
   */
  'name'?: (string);
  'isInUse'?: (boolean);
  /**
   * RFC 3339, UTC. Empty if it isn't recorded.
   */
  'installedAt'?: (string);
  /**
   * What was downloaded, e.g. "GeoLite2-City 20260620".
   */
  'sources'?: readonly (string)[];
}

export interface DataVersion__Output {
  /**
   * Such as "v3".
   */
  'name'?: (string);
  'isInUse'?: (boolean);
  /**
   * RFC 3339, UTC. Empty if it isn't recorded.
   */
  'installedAt'?: (string);
  /**
   * What was downloaded, e.g. "GeoLite2-City 20260620".
   */
  'sources': (string)[];
}
