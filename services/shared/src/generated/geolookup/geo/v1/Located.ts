// Original file: proto/geo/v1/geo.proto

import type { Place as _geolookup_geo_v1_Place, Place__Output as _geolookup_geo_v1_Place__Output } from '../../../geolookup/geo/v1/Place.ts';
import type { Reason as _geolookup_geo_v1_Reason, Reason__Output as _geolookup_geo_v1_Reason__Output } from '../../../geolookup/geo/v1/Reason.ts';

export interface Located {
  'place'?: (_geolookup_geo_v1_Place | null);
  'reason'?: (_geolookup_geo_v1_Reason);
}

export interface Located__Output {
  'place'?: (_geolookup_geo_v1_Place__Output);
  'reason'?: (_geolookup_geo_v1_Reason__Output);
}
