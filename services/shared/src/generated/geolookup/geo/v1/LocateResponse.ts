// Original file: proto/geo/v1/geo.proto

import type { Located as _geolookup_geo_v1_Located, Located__Output as _geolookup_geo_v1_Located__Output } from '../../../geolookup/geo/v1/Located.ts';
import type { Records as _geolookup_geo_v1_Records, Records__Output as _geolookup_geo_v1_Records__Output } from '../../../geolookup/geo/v1/Records.ts';

export interface LocateResponse {
  /**
   * Set unless records were requested.
   */
  'results'?: readonly (_geolookup_geo_v1_Located)[];
  /**
   * Set if records were requested.
   */
  'records'?: (_geolookup_geo_v1_Records | null);
  '_records'?: "records";
}

export interface LocateResponse__Output {
  /**
   * Set unless records were requested.
   */
  'results': (_geolookup_geo_v1_Located__Output)[];
  /**
   * Set if records were requested.
   */
  'records'?: (_geolookup_geo_v1_Records__Output);
}
