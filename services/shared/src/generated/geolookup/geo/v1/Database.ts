// Original file: proto/geo/v1/geo.proto

import type { Long } from '@grpc/proto-loader';

export interface Database {
  /**
   * The file's name, without its folder.
   */
  'name'?: (string);
  /**
   * The type in its metadata, e.g. "GeoLite2-City".
   */
  'databaseType'?: (string);
  /**
   * The detected schema, e.g. "maxmind".
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
   * The attribution that the data's license requires. Empty if unknown.
   */
  'attribution'?: (string);
  'attributionUrl'?: (string);
}

export interface Database__Output {
  /**
   * The file's name, without its folder.
   */
  'name'?: (string);
  /**
   * The type in its metadata, e.g. "GeoLite2-City".
   */
  'databaseType'?: (string);
  /**
   * The detected schema, e.g. "maxmind".
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
   * The attribution that the data's license requires. Empty if unknown.
   */
  'attribution'?: (string);
  'attributionUrl'?: (string);
}
