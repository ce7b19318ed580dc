// Original file: proto/geo/v1/geo.proto

import type { Database as _geolookup_geo_v1_Database, Database__Output as _geolookup_geo_v1_Database__Output } from '../../../geolookup/geo/v1/Database.ts';

export interface ListDatabasesResponse {
  'databases'?: readonly (_geolookup_geo_v1_Database)[];
}

export interface ListDatabasesResponse__Output {
  'databases': (_geolookup_geo_v1_Database__Output)[];
}
