// Original file: proto/auth/v1/auth.proto


/**
 * A plan's limits besides its monthly quota. 0: no limit.
 */
export interface Limits {
  /**
   * Requests per hour, for each caller of one key.
   */
  'perCallerHourly'?: (number);
  /**
   * Requests per second, for each key at each gateway.
   */
  'perSecond'?: (number);
  /**
   * The largest burst. Set if per_second is.
   */
  'burst'?: (number);
}

/**
 * A plan's limits besides its monthly quota. 0: no limit.
 */
export interface Limits__Output {
  /**
   * Requests per hour, for each caller of one key.
   */
  'perCallerHourly'?: (number);
  /**
   * Requests per second, for each key at each gateway.
   */
  'perSecond'?: (number);
  /**
   * The largest burst. Set if per_second is.
   */
  'burst'?: (number);
}
