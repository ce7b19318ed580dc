// Original file: proto/geo/v1/geo.proto

import type { Long } from '@grpc/proto-loader';

export interface Database {
  /**
   * File name without its folder.
   */
  'name'?: (string);
  /**
   * The type its metadata states, e.g. "GeoLite2-City".
   */
  'databaseType'?: (string);
  /**
   * The schema it was recognized as, e.g. "maxmind".
   */
  'schema'?: (string);
  /**
   * Unix seconds.
   */
  'buildUnixSeconds'?: (number | string | Long);
  /**
   * 4 or 6.
   */
  'ipVersion'?: (number);
  /**
   * Attribution that the license of the data asks for; empty if none is known.
   */
  'attribution'?: (string);
  'attributionUrl'?: (string);
}

export interface Database__Output {
  /**
   * File name without its folder.
   */
  'name'?: (string);
  /**
   * The type its metadata states, e.g. "GeoLite2-City".
   */
  'databaseType'?: (string);
  /**
   * The schema it was recognized as, e.g. "maxmind".
   */
  'schema'?: (string);
  /**
   * Unix seconds.
   */
  'buildUnixSeconds'?: (number);
  /**
   * 4 or 6.
   */
  'ipVersion'?: (number);
  /**
   * Attribution that the license of the data asks for; empty if none is known.
   */
  'attribution'?: (string);
  'attributionUrl'?: (string);
}
