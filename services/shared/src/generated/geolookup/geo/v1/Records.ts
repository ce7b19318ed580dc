// Original file: proto/geo/v1/geo.proto

import type { Reason as _geolookup_geo_v1_Reason, Reason__Output as _geolookup_geo_v1_Reason__Output } from '../../../geolookup/geo/v1/Reason.ts';

/**
 * What answers are made of, as text that is made once for a record of a database and that no gateway takes apart. Each
 * list has one entry per address: so a batch is one message.
 */
export interface Records {
  /**
   * The members of a JSON object, without braces: every field of the contract's record but `ip`, in its order.
   */
  'members'?: readonly (string)[];
  /**
   * Those of the free plan are the first so many characters (UTF-16 code units).
   */
  'freeLengths'?: readonly (number)[];
  'reasons'?: readonly (_geolookup_geo_v1_Reason)[];
  /**
   * Whether something is lacking that the free plan, and that the paid plan grants.
   */
  'partialFree'?: readonly (boolean)[];
  'partialPaid'?: readonly (boolean)[];
}

/**
 * What answers are made of, as text that is made once for a record of a database and that no gateway takes apart. Each
 * list has one entry per address: so a batch is one message.
 */
export interface Records__Output {
  /**
   * The members of a JSON object, without braces: every field of the contract's record but `ip`, in its order.
   */
  'members': (string)[];
  /**
   * Those of the free plan are the first so many characters (UTF-16 code units).
   */
  'freeLengths': (number)[];
  'reasons': (_geolookup_geo_v1_Reason__Output)[];
  /**
   * Whether something is lacking that the free plan, and that the paid plan grants.
   */
  'partialFree': (boolean)[];
  'partialPaid': (boolean)[];
}
