// Original file: proto/geo/v1/geo.proto

import type { DataVersion as _geolookup_geo_v1_DataVersion, DataVersion__Output as _geolookup_geo_v1_DataVersion__Output } from '../../../geolookup/geo/v1/DataVersion.ts';
import type { DataRefresh as _geolookup_geo_v1_DataRefresh, DataRefresh__Output as _geolookup_geo_v1_DataRefresh__Output } from '../../../geolookup/geo/v1/DataRefresh.ts';

export interface GetDataStatusResponse {
  /**
   * Whether the operator names the files. Nothing downloads them, and they have no versions.
   */
  'usesNamedFiles'?: (boolean);
  /**
   * Whether a process looks for newer data once a day.
   */
  'isRefreshed'?: (boolean);
  /**
   * The versions in this node's folder, oldest first.
   */
  'versions'?: readonly (_geolookup_geo_v1_DataVersion)[];
  /**
   * Unset before the first run of the refresh.
   */
  'refresh'?: (_geolookup_geo_v1_DataRefresh | null);
}

export interface GetDataStatusResponse__Output {
  /**
   * Whether the operator names the files. Nothing downloads them, and they have no versions.
   */
  'usesNamedFiles'?: (boolean);
  /**
   * Whether a process looks for newer data once a day.
   */
  'isRefreshed'?: (boolean);
  /**
   * The versions in this node's folder, oldest first.
   */
  'versions': (_geolookup_geo_v1_DataVersion__Output)[];
  /**
   * Unset before the first run of the refresh.
   */
  'refresh'?: (_geolookup_geo_v1_DataRefresh__Output);
}
