// Original file: proto/geo/v1/geo.proto

import type { Located as _geolookup_geo_v1_Located, Located__Output as _geolookup_geo_v1_Located__Output } from '../../../geolookup/geo/v1/Located.ts';

export interface Source {
  /**
   * A database's file name, or "geofeed".
   */
  'name'?: (string);
  /**
   * The result with this source alone.
   */
  'located'?: (_geolookup_geo_v1_Located | null);
}

export interface Source__Output {
  /**
   * A database's file name, or "geofeed".
   */
  'name'?: (string);
  /**
   * The result with this source alone.
   */
  'located'?: (_geolookup_geo_v1_Located__Output);
}
