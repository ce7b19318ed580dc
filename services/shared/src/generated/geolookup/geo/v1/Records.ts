// Original file: proto/geo/v1/geo.proto

import type { Reason as _geolookup_geo_v1_Reason, Reason__Output as _geolookup_geo_v1_Reason__Output } from '../../../geolookup/geo/v1/Reason.ts';

/**
 * The parts of responses as text, rendered once per database record. Gateways pass it on without parsing it. Each list
 * has one entry per address.
 */
export interface Records {
  /**
   * The members of a JSON object, without braces: every field of the contract's record except `ip`, in its order.
   */
  'members'?: readonly (string)[];
  /**
   * The length of the leading part with the free plan's fields, in UTF-16 code units.
   */
  'freeLengths'?: readonly (number)[];
  'reasons'?: readonly (_geolookup_geo_v1_Reason)[];
  /**
   * Whether a field is missing that the free plan grants, and that the paid plan grants.
   */
  'partialFree'?: readonly (boolean)[];
  'partialPaid'?: readonly (boolean)[];
  /**
   * The prefix length of a network that contains the address and has this record and reason throughout: 24 or 27 for IPv4, 48
   * for IPv6. 0 if there is none. Older nodes send no lengths.
   */
  'prefixLengths'?: readonly (number)[];
  /**
   * Identifies the node's process. A random number.
   */
  'nodeId'?: (number);
  /**
   * Increases when the node's data change, and with them its records.
   */
  'dataRevision'?: (number);
  /**
   * How exact and how old each place is, such as "radius=20; built=2026-11-01". Empty if nothing is known. None unless requested.
   */
  'accuracies'?: readonly (string)[];
}

/**
 * The parts of responses as text, rendered once per database record. Gateways pass it on without parsing it. Each list
 * has one entry per address.
 */
export interface Records__Output {
  /**
   * The members of a JSON object, without braces: every field of the contract's record except `ip`, in its order.
   */
  'members': (string)[];
  /**
   * The length of the leading part with the free plan's fields, in UTF-16 code units.
   */
  'freeLengths': (number)[];
  'reasons': (_geolookup_geo_v1_Reason__Output)[];
  /**
   * Whether a field is missing that the free plan grants, and that the paid plan grants.
   */
  'partialFree': (boolean)[];
  'partialPaid': (boolean)[];
  /**
   * The prefix length of a network that contains the address and has this record and reason throughout: 24 or 27 for IPv4, 48
   * for IPv6. 0 if there is none. Older nodes send no lengths.
   */
  'prefixLengths': (number)[];
  /**
   * Identifies the node's process. A random number.
   */
  'nodeId'?: (number);
  /**
   * Increases when the node's data change, and with them its records.
   */
  'dataRevision'?: (number);
  /**
   * How exact and how old each place is, such as "radius=20; built=2026-11-01". Empty if nothing is known. None unless requested.
   */
  'accuracies': (string)[];
}
