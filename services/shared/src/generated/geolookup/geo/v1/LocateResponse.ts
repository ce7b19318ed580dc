// Original file: proto/geo/v1/geo.proto

import type { Located as _geolookup_geo_v1_Located, Located__Output as _geolookup_geo_v1_Located__Output } from '../../../geolookup/geo/v1/Located.ts';
import type { Records as _geolookup_geo_v1_Records, Records__Output as _geolookup_geo_v1_Records__Output } from '../../../geolookup/geo/v1/Records.ts';

export interface LocateResponse {
  /**
   * Unless records are wanted.
   */
  'results'?: readonly (_geolookup_geo_v1_Located)[];
  /**
   * If they are.
   */
  'records'?: (_geolookup_geo_v1_Records | null);
  '_records'?: "records";
}

export interface LocateResponse__Output {
  /**
   * Unless records are wanted.
   */
  'results': (_geolookup_geo_v1_Located__Output)[];
  /**
   * If they are.
   */
  'records'?: (_geolookup_geo_v1_Records__Output);
}
