// Original file: proto/geo/v1/geo.proto

import type { Reason as _geolookup_geo_v1_Reason, Reason__Output as _geolookup_geo_v1_Reason__Output } from '../../../geolookup/geo/v1/Reason.ts';

export interface Located {
  'reason'?: (_geolookup_geo_v1_Reason);
  /**
   * The contract's record as a JSON object, without `ip` and `partial`.
   */
  'record'?: (string);
}

export interface Located__Output {
  'reason'?: (_geolookup_geo_v1_Reason__Output);
  /**
   * The contract's record as a JSON object, without `ip` and `partial`.
   */
  'record'?: (string);
}
