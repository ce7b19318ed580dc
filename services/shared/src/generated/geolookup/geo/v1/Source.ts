// Original file: proto/geo/v1/geo.proto

import type { Located as _geolookup_geo_v1_Located, Located__Output as _geolookup_geo_v1_Located__Output } from '../../../geolookup/geo/v1/Located.ts';

export interface Source {
  /**
   * A file name. Version 0.1 calls its geofeed "geofeed".
   */
  'name'?: (string);
  /**
   * The result with this source alone.
   */
  'located'?: (_geolookup_geo_v1_Located | null);
  /**
   * The longest prefix of a geofeed that contains the address, in CIDR notation. Empty for databases.
   */
  'prefix'?: (string);
}

export interface Source__Output {
  /**
   * A file name. Version 0.1 calls its geofeed "geofeed".
   */
  'name'?: (string);
  /**
   * The result with this source alone.
   */
  'located'?: (_geolookup_geo_v1_Located__Output);
  /**
   * The longest prefix of a geofeed that contains the address, in CIDR notation. Empty for databases.
   */
  'prefix'?: (string);
}
