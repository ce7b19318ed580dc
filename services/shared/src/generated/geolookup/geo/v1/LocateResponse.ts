// Original file: proto/geo/v1/geo.proto

import type { Records as _geolookup_geo_v1_Records, Records__Output as _geolookup_geo_v1_Records__Output } from '../../../geolookup/geo/v1/Records.ts';

export interface LocateResponse {
  'records'?: (_geolookup_geo_v1_Records | null);
}

export interface LocateResponse__Output {
  'records'?: (_geolookup_geo_v1_Records__Output);
}
