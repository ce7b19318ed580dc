// Original file: proto/geo/v1/geo.proto

import type { Located as _geolookup_geo_v1_Located, Located__Output as _geolookup_geo_v1_Located__Output } from '../../../geolookup/geo/v1/Located.ts';
import type { Source as _geolookup_geo_v1_Source, Source__Output as _geolookup_geo_v1_Source__Output } from '../../../geolookup/geo/v1/Source.ts';

export interface ExplainResponse {
  /**
   * The result of Locate.
   */
  'result'?: (_geolookup_geo_v1_Located | null);
  /**
   * The databases in priority order, then the operator's geofeeds that have a prefix of the address. The first of those
   * applies; it has the longest prefix.
   */
  'sources'?: readonly (_geolookup_geo_v1_Source)[];
}

export interface ExplainResponse__Output {
  /**
   * The result of Locate.
   */
  'result'?: (_geolookup_geo_v1_Located__Output);
  /**
   * The databases in priority order, then the operator's geofeeds that have a prefix of the address. The first of those
   * applies; it has the longest prefix.
   */
  'sources': (_geolookup_geo_v1_Source__Output)[];
}
